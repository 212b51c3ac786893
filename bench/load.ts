import autocannon from "autocannon";
import type { Run } from "./statistics.ts";

/** A closed loop: each connection sends its next request when the one before is answered. */
export type Load = {
  readonly connections: number;
  readonly seconds: number;
  /** Ends after so many requests instead; for what takes longer than a round. */
  readonly amount?: number;
};

export type Post = {
  readonly url: string;
  readonly headers: Record<string, string>;
  /** The same for every request, or made anew for each. */
  readonly body: Buffer | (() => string);
};

/** Longer than any answer is waited for elsewhere. */
const timeoutSeconds = 300;

/** Sends requests by autocannon. Throws when any is not answered with 200, or answers differ in length where they must not. */
export async function send(post: Post, { connections, seconds, amount }: Load): Promise<Run> {
  const { body } = post;
  const made =
    typeof body === "function"
      ? { requests: [{ setupRequest: (request: autocannon.Request) => ({ ...request, body: body() }) }] }
      : { body };
  const options = {
    url: post.url,
    method: "POST" as const,
    headers: post.headers,
    ...made,
    connections: Math.min(connections, amount ?? connections),
    ...(amount === undefined ? { duration: seconds } : { amount }),
    timeout: timeoutSeconds,
  };
  const milliseconds: number[] = [];
  const lengths = new Set<number>();
  const started = performance.now();
  let last = started;
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(options, (error, result) => (error ? reject(error) : resolve(result)));
    // Its own percentiles are whole milliseconds.
    instance.on("response", (_client, status, bytes, time) => {
      if (status === 200) milliseconds.push(time);
      lengths.add(bytes);
      last = performance.now();
    });
  });
  const wrong = result.non2xx + result.errors + result.timeouts;
  if (wrong > 0) {
    const statuses = JSON.stringify(result.statusCodeStats);
    throw new Error(`${wrong} of ${result.requests.sent} requests to ${post.url} failed: ${statuses}`);
  }
  if (typeof body !== "function" && lengths.size > 1) {
    throw new Error(`answers of ${post.url} differ in length: ${[...lengths].join(", ")} bytes`);
  }
  return { sent: result.requests.sent, seconds: (last - started) / 1000, milliseconds };
}

/** Sends a request once and gives the bytes of its answer. */
export async function ask({ url, headers, body }: Post): Promise<Buffer> {
  const response = await fetch(url, {
    method: "POST",
    headers,
    body: typeof body === "function" ? body() : new Uint8Array(body),
  });
  const answer = Buffer.from(await response.arrayBuffer());
  if (response.status !== 200)
    throw new Error(`${url} answered ${response.status}: ${answer.toString().slice(0, 500)}`);
  return answer;
}
