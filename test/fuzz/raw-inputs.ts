import type { Input, Step } from "./input.ts";
import { mutated } from "./mutations.ts";
import { anyCall, bytesOf, type Header, headersOf, noMischief, pathOf, requestOf, type Wish } from "./requests.ts";

/** A whole request, head and all, with accidents in it. The client then says that nothing more comes. */
export function mutatedRequest(wish: Wish): Input {
  const { dice } = wish;
  const send = mutated(dice, requestOf(anyCall(wish, noMischief)));
  return alone("mutated request", [{ send }, { finish: "end" }], "some");
}

/** What is no HTTP, or breaks its rules about where a request ends. */
export function brokenFraming(wish: Wish): Input {
  const call = anyCall(wish, noMischief);
  const start = `POST ${pathOf(call.method)} HTTP/1.1`;
  const framing = wish.dice.pick(framings)(Buffer.from(call.plain).toString("latin1"));
  const head = Array.isArray(framing[0]) ? (framing[0] as Header[]) : [];
  const send =
    typeof framing[0] === "string"
      ? Buffer.from(framing[0], "latin1")
      : bytesOf(start, [...headersOf(call), ...head], Buffer.from(framing[1] ?? "", "latin1"));
  return alone("broken framing", [{ send }, { finish: "end" }], "some");
}

const chunked: Header = ["transfer-encoding", "chunked"];
const chunk = (body: string, size = body.length.toString(16)) => `${size}\r\n${body}\r\n`;
const length = (value: string): Header => ["content-length", value];

type Framing = readonly [Header[], string] | readonly [string];

/** The headers that say where the body ends and the body, or all there is. */
const framings: ((body: string) => Framing)[] = [
  (body) => [[chunked, length(String(body.length))], `${chunk(body)}0\r\n\r\n`],
  (body) => [[length(String(body.length)), chunked], body],
  (body) => [[length(String(body.length)), length(String(body.length + 1))], body],
  (body) => [[length(String(body.length)), length(String(body.length))], body],
  (body) => [[length(`${body.length}, ${body.length}`)], body],
  (body) => [[length("-1")], body],
  (body) => [[length(`+${body.length}`)], body],
  (body) => [[length(`0x${body.length.toString(16)}`)], body],
  (body) => [[length("99999999999999999999999")], body],
  (body) => [[length("18446744073709551616")], body],
  (body) => [[length("")], body],
  (body) => [[length("5000000000")], body],
  (body) => [[["transfer-encoding", "gzip, chunked"]], `${chunk(body)}0\r\n\r\n`],
  (body) => [[["transfer-encoding", "chunked, chunked"]], `${chunk(body)}0\r\n\r\n`],
  (body) => [[["transfer-encoding", ", chunked"]], `${chunk(body)}0\r\n\r\n`],
  (body) => [[["transfer-encoding", "identity"], chunked], `${chunk(body)}0\r\n\r\n`],
  (body) => [[["transfer-encoding", "identity"]], body],
  (body) => [[["transfer-encoding", "xchunked"]], `${chunk(body)}0\r\n\r\n`],
  (body) => [[["transfer-encoding", " chunked"], chunked], `${chunk(body)}0\r\n\r\n`],
  (body) => [[["transfer-encoding ", "chunked"]], `${chunk(body)}0\r\n\r\n`],
  (body) => [[chunked], `${chunk(body, "zz")}0\r\n\r\n`],
  (body) => [[chunked], `${chunk(body, "-1")}0\r\n\r\n`],
  (body) => [[chunked], `${chunk(body, "ffffffffffffffffff")}0\r\n\r\n`],
  (body) => [[chunked], `${chunk(body, `${body.length.toString(16)};${"x=y;".repeat(2_000)}`)}0\r\n\r\n`],
  (body) => [[chunked], `${chunk(body, `0${body.length.toString(16)}`)}0\r\n\r\n`],
  (body) => [[chunked], `${body.length.toString(16)}\n${body}\n0\n\n`],
  (body) => [[chunked], `${body.length.toString(16)}\r\n${body}0\r\n\r\n`],
  (body) => [[chunked], chunk(body)],
  (body) => [[chunked], `${chunk(body)}0\r\nauthorization: Bearer x\r\ncontent-length: 7\r\n\r\n`],
  (body) => [[chunked], `${chunk(body)}0\r\n${"x: y\r\n".repeat(3_000)}\r\n`],
  (body) => [[["x", "y\r\n folded"], length(String(body.length))], body],
  (body) => [[["", "x"]], body],
  (body) => [[["a b", "x"]], body],
  (body) => [[["x", "\u0000"]], body],
  (body) => [[["x", "a\rb"]], body],
  (body) => [[["x", "a".repeat(20_000)]], body],
  (body) => [Array.from({ length: 3_000 }, (_, index): Header => [`x${index}`, "y"]), body],
  (body) => [[["upgrade", "websocket"], ["connection", "upgrade"], length(String(body.length))], body],
  (body) => [
    [
      ["upgrade", "h2c"],
      ["connection", "upgrade, http2-settings"],
      ["http2-settings", "AAMAAABkAAQAoAAAAAIAAAAA"],
    ],
    body,
  ],
  () => ["hello\r\n\r\n"],
  () => ["\r\n\r\n\r\n\r\n"],
  () => ["GET /healthz\r\n\r\n"],
  () => ["GET /healthz HTTP/0.9\r\n\r\n"],
  () => ["GET /healthz HTTP/1.1\r\n\r\n"],
  () => ["GET /healthz HTTP/2.0\r\nhost: x\r\n\r\n"],
  () => ["GET  /healthz  HTTP/1.1\r\nhost: x\r\n\r\n"],
  () => ["GET /he althz HTTP/1.1\r\nhost: x\r\n\r\n"],
  () => ["GET /\u0000 HTTP/1.1\r\nhost: x\r\n\r\n"],
  () => ["GET /healthz HTTP/1.1\nhost: x\n\n"],
  () => ["get /healthz HTTP/1.1\r\nhost: x\r\n\r\n"],
  () => [`${"G".repeat(10_000)} / HTTP/1.1\r\nhost: x\r\n\r\n`],
  () => [`GET /${"a".repeat(30_000)} HTTP/1.1\r\nhost: x\r\n\r\n`],
  () => ["CONNECT x:443 HTTP/1.1\r\nhost: x\r\n\r\n"],
  () => ["CONNECT / HTTP/1.1\r\nhost: x\r\n\r\nsomething"],
  () => ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000"],
  () => ["\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"],
  () => ["\u0000".repeat(100)],
  () => ["\u00ff\u00fe".repeat(100)],
  () => ["POST / HTTP/1.1\r\nhost: x\r\nhost: y\r\ncontent-length: 0\r\n\r\n"],
];

/** Several requests at once, without waiting for answers. */
export function pipelined(wish: Wish): Input {
  const length = wish.dice.pick([2, 3, 5, 10, 33]);
  const requests = Array.from({ length }, () =>
    wish.dice.chance(0.2) ? bytesOf("GET /healthz HTTP/1.1", [["host", "x"]]) : requestOf(anyCall(wish, noMischief)),
  );
  return alone("pipelined", [{ send: Buffer.concat(requests) }], length);
}

/** A request that comes in pieces, down to single bytes, with pauses in between. */
export function slowRequest(wish: Wish): Input {
  const { dice } = wish;
  const bytes = requestOf(anyCall(wish, noMischief));
  const from = dice.chance(0.7) ? bytes.indexOf("\r\n\r\n") + dice.below(6) : dice.below(bytes.length);
  const steps: Step[] = [{ send: bytes.subarray(0, from) }];
  const size = Math.max(1, Math.ceil((bytes.length - from) / 60));
  for (let at = from; at < bytes.length; at += size) {
    steps.push({ pauseMs: dice.pick([1, 5, 20]) }, { send: bytes.subarray(at, at + size) });
  }
  return alone("slow request", steps, 1);
}

/** A body that never ends, from a client that sets a deadline and waits for its answer. */
export function endlessBody(wish: Wish): Input {
  const { dice } = wish;
  const call = anyCall(wish, noMischief);
  const framing = dice.chance(0.5) ? chunked : length("1000");
  const headers: Header[] = [...headersOf(call), ["connect-timeout-ms", String(dice.pick([1, 20, 200]))], framing];
  const send = bytesOf(`POST ${pathOf(call.method)} HTTP/1.1`, headers, framing === chunked ? chunk("{") : "{");
  return alone("endless body", [{ send }], 1);
}

/** A client that leaves: after a part of the request, or right after all of it. */
export function aborted(wish: Wish): Input {
  const { dice } = wish;
  const bytes = requestOf(anyCall(wish, noMischief));
  const send = dice.chance(0.4) ? bytes : bytes.subarray(0, dice.below(bytes.length + 1));
  const pauses: Step[] = dice.chance(0.5) ? [{ pauseMs: dice.pick([0, 1, 2, 5]) }] : [];
  return alone("aborted", [{ send }, ...pauses, { finish: "reset" }], "none");
}

/** A client that says it sends nothing more, in the middle of a request or behind it. */
export function halfOpen(wish: Wish): Input {
  const { dice } = wish;
  const bytes = requestOf(anyCall(wish, noMischief));
  const send = dice.chance(0.5) ? bytes : bytes.subarray(0, dice.below(bytes.length + 1));
  return alone("half open", [{ send }, { finish: "end" }], "some");
}

function alone(kind: string, steps: readonly Step[], answers: Input["answers"]): Input {
  return { kind, steps, answers, keepsAlive: false };
}
