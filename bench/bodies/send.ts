import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { frame } from "../../test/support/frames.ts";
import type { Body } from "./bodies.ts";

export type Post = {
  readonly url: string;
  readonly token: string;
  readonly body: Body;
  readonly gzipped: boolean;
  /** Whether the RPC answers a stream. */
  readonly isStream: boolean;
};

/** What came back: how often each status and code, and the slowest answer of /healthz meanwhile. */
export type Answers = { readonly counts: Readonly<Record<string, number>>; readonly slowestHealthMs: number };

const connections = 8;

/** Sends a body so many times over eight connections, and asks meanwhile whether the server is alive. */
export async function sendOften(base: string, post: Post, times: number): Promise<Answers> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const counts: Record<string, number> = {};
  let left = times;
  let done = false;
  const health = watchHealth(base, () => done);
  const work = async () => {
    while (left > 0) {
      left -= 1;
      const answer = await sendOne(agent, post).catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
      counts[answer] = (counts[answer] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  done = true;
  agent.destroy();
  return { counts, slowestHealthMs: await health };
}

async function watchHealth(base: string, isDone: () => boolean): Promise<number> {
  let slowest = 0;
  while (!isDone()) {
    const begin = performance.now();
    const answered = await fetch(`${base}/healthz`, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
    if (answered === undefined) return Number.NaN;
    await answered.arrayBuffer();
    slowest = Math.max(slowest, performance.now() - begin);
    await sleep(5);
  }
  return slowest;
}

/** Resolves to status and code. A server may answer and hang up before it has read everything. */
function sendOne(agent: Agent, { url, token, body, gzipped, isStream }: Post): Promise<string> {
  const bytes = isStream ? frame(body.bytes, { flags: gzipped ? 1 : 0 }) : body.bytes;
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "connect-protocol-version": "1",
      "content-type": isStream ? body.contentType.replace("/", "/connect+") : body.contentType,
      "content-length": String(bytes.length),
      ...(gzipped ? { [isStream ? "connect-content-encoding" : "content-encoding"]: "gzip" } : {}),
    };
    const sent = request(url, { method: "POST", agent, headers, timeout: 120_000 }, async (response) => {
      // A stream that has begun would last.
      const chunks = await (isStream ? response.take(1) : response).toArray().catch(reject);
      if (chunks === undefined) return;
      const text = Buffer.concat(chunks as Buffer[]).toString();
      const code = /"code":"(\w+)"/.exec(text)?.[1];
      resolve(code === undefined ? String(response.statusCode) : `${response.statusCode} ${code}`);
    });
    sent.on("error", reject);
    sent.on("timeout", () => sent.destroy(new Error("no answer")));
    sent.end(bytes);
  });
}
