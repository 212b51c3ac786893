import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export type Answer = { readonly status: number; readonly body: any };

/** What stands before the servers of a deployment: asks who is ready, and sends each request to one of those. */
export type Balancer = {
  post(path: string, body: object, token: string): Promise<Answer>;
  /** Sends nothing there any more, whatever it says; resolves when all that was sent is answered. */
  takeOut(url: string): Promise<void>;
  putIn(url: string): void;
  untilReady(url: string): Promise<void>;
  close(): Promise<void>;
};

type Target = { readonly url: string; readonly agent: Agent; ready: boolean; out: boolean; busy: number };

const askEveryMs = 20;

export function openBalancer(urls: readonly string[]): Balancer {
  const targets = urls.map((url) => newTarget(url));
  let turn = 0;
  let closed = false;

  const asking = Promise.all(
    targets.map(async (target) => {
      while (!closed) {
        target.ready = await send(target.url, "GET", "/readyz", new Agent(), {}).then(
          ({ status }) => status === 200,
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
    async post(path, body, token) {
      for (;;) {
        const target = await next();
        target.busy += 1;
        try {
          return await send(target.url, "POST", path, target.agent, { body, token });
        } catch (error) {
          // Nobody accepted it, so another server may have it. Whatever else goes wrong is a failed request.
          if ((error as NodeJS.ErrnoException).code !== "ECONNREFUSED") throw error;
          target.ready = false;
        } finally {
          target.busy -= 1;
        }
      }
    },
    async takeOut(url) {
      const target = find(url);
      target.out = true;
      while (target.busy > 0) await sleep(askEveryMs);
      // The connections that are kept open are given back too.
      target.agent.destroy();
    },
    putIn(url) {
      find(url).out = false;
    },
    async untilReady(url) {
      while (!find(url).ready) await sleep(askEveryMs);
    },
    async close() {
      closed = true;
      await asking;
      for (const { agent } of targets) agent.destroy();
    },
  };
}

function newTarget(url: string): Target {
  return { url, agent: new Agent({ keepAlive: true }), ready: false, out: false, busy: 0 };
}

function send(
  url: string,
  method: string,
  path: string,
  agent: Agent,
  { body, token }: { body?: object; token?: string },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "connect-protocol-version": "1",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const sending = request(`${url}${path}`, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => void chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
      });
    });
    sending.on("error", reject);
    sending.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
