import type { Input, Step } from "./input.ts";
import { mutated } from "./mutations.ts";
import { anyCall, bytesOf, type Header, headersOf, noMischief, pathOf, requestOf, type Wish } from "./requests.ts";

/** A whole request, head and all, with accidents in it. The client then says that nothing more comes. */
export function mutatedRequest(wish: Wish): Input {
  const { dice } = wish;
  const send = mutated(dice, requestOf(anyCall(wish, noMischief)));
  return alone("mutated request", [{ send }, { finish: "end" }], "some");
}

const chunked: Header = ["transfer-encoding", "chunked"];
const chunk = (body: string, size = body.length.toString(16)) => `${size}\r\n${body}\r\n`;
const length = (value: string): Header => ["content-length", value];

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
