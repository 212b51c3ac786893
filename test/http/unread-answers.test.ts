import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import { connect as connectHttp2, createServer as createHttp2 } from "node:http2";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { boundUnread } from "../../src/http/unread-answers.ts";

/** Far more than fits between a server and a client that doesn't read. */
const size = 20 * 1_024 * 1_024;
const answer = "x".repeat(size);

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listen(server: ReturnType<typeof createServer> | ReturnType<typeof createHttp2>): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("The answer that has waited longest is given up, when answers that no one reads get too many", async () => {
  const count = boundUnread(2.5 * size);
  const url = await listen(
    createServer((_, raw) => {
      raw.end(answer);
      count(raw, size);
    }),
  );
  const ask = async () => {
    const request = get(url, { agent: false });
    closing.push(() => request.destroy());
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return response;
  };
  const read = async (response: IncomingMessage) => {
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    return bytes;
  };
  // Those that are read don't count.
  for (let round = 0; round < 4; round += 1) expect(await read(await ask())).toBe(size);
  const oldest = await ask();
  const next = await ask();
  const newest = await ask();
  await expect(read(oldest)).rejects.toThrow("aborted");
  expect([await read(next), await read(newest)]).toEqual([size, size]);
  // Each is forgotten once.
  expect(await read(await ask())).toBe(size);
});

test("Over HTTP/2, only its stream ends", async () => {
  const count = boundUnread(1.5 * size);
  const url = await listen(
    createHttp2({ maxSessionMemory: 256 }, (_, raw) => {
      raw.end(answer);
      count(raw, size);
    }),
  );
  const session = connectHttp2(url);
  closing.push(() => session.destroy());
  const oldest = session.request();
  await once(oldest, "response");
  const newest = session.request();
  await once(newest, "response");
  const ended = once(oldest, "close");
  oldest.resume();
  await ended;
  expect(oldest.rstCode).toBe(8);
  let bytes = 0;
  for await (const chunk of newest) bytes += chunk.length;
  expect(bytes).toBe(size);
});

test("Small answers are not counted", async () => {
  const count = boundUnread(0);
  const small = "x".repeat(60_000);
  const url = await listen(
    createServer((_, raw) => {
      raw.end(small);
      count(raw, small.length);
    }),
  );
  const answers = await Promise.all([1, 2, 3].map(async () => (await fetch(url)).text()));
  expect(answers.map(({ length }) => length)).toEqual([60_000, 60_000, 60_000]);
});
