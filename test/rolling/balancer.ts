import { setTimeout as sleep } from "node:timers/promises";
import { post } from "../support/call-headers.ts";

/** What stands before the servers of a deployment: asks who is ready, and sends each request to one of those. */
export type Balancer = ReturnType<typeof openBalancer>;

type Target = { readonly url: string; ready: boolean; out: boolean; busy: number };

const askEveryMs = 20;

export function openBalancer(urls: readonly string[]) {
  const targets = urls.map((url): Target => ({ url, ready: false, out: false, busy: 0 }));
  let turn = 0;
  let closed = false;

  const asking = Promise.all(
    targets.map(async (target) => {
      while (!closed) {
        target.ready = await fetch(`${target.url}/readyz`, { headers: { connection: "close" } }).then(
          async (answer) => (await answer.text()) !== "" && answer.ok,
          () => false,
        );
        await sleep(askEveryMs);
      }
    }),
  );

  async function next(): Promise<Target> {
    for (;;) {
      const usable = targets.filter(({ ready, out }) => ready && !out);
      turn += 1;
      const target = usable[turn % usable.length];
      if (target !== undefined) return target;
      await sleep(askEveryMs);
    }
  }

  function find(url: string): Target {
    const target = targets.find((each) => each.url === url);
    if (target === undefined) throw new Error(`${url} is none of the servers`);
    return target;
  }

  return {
    /** Calls an RPC of AuthorizationService. */
    async post(rpc: string, body: object, token: string): Promise<{ status: number; body: any }> {
      for (;;) {
        const target = await next();
        target.busy += 1;
        try {
          const answer = await post(target.url, token, rpc, body);
          return { status: answer.status, body: await answer.json() };
        } catch (error) {
          // Nobody accepted it, so another server may have it. Whatever else goes wrong is a failed request.
          if (causeOf(error) !== "ECONNREFUSED") throw error;
          target.ready = false;
        } finally {
          target.busy -= 1;
        }
      }
    },
    /** Sends nothing there any more, whatever it says; resolves when all that was sent is answered. */
    async takeOut(url: string) {
      const target = find(url);
      target.out = true;
      while (target.busy > 0) await sleep(askEveryMs);
    },
    putIn(url: string) {
      find(url).out = false;
    },
    async untilReady(url: string) {
      while (!find(url).ready) await sleep(askEveryMs);
    },
    async close() {
      closed = true;
      await asking;
    },
  };
}

/** The code of what kept a fetch from its answer. */
export function causeOf(error: unknown): string | undefined {
  return ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code;
}
