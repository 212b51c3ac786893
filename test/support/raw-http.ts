import { connect } from "node:net";
import { type Answer, answerReader } from "./answer-reader.ts";
import { callHeaders, pathOf } from "./call-headers.ts";
import { until } from "./until.ts";

/** One HTTP answer as it came over the socket. The body is JSON where there is one. */
export type RawAnswer = { readonly status: number; readonly headers: Headers; readonly body: any };

export type RawConnection = ReturnType<typeof openRaw>;

/** A bare connection, for what no HTTP client sends. */
export function openRaw(url: string) {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
  const reader = answerReader();
  socket.on("data", reader.add).on("end", reader.end);
  socket.on("error", () => {});
  return {
    socket,
    send: (bytes: string | Buffer) => void socket.write(bytes),
    /** Resolves as soon as that many answers have come in full; interim ones do not count. */
    answers: (count: number): Promise<RawAnswer[]> =>
      until(`${count} answers`, () => reader.answers.length >= count && reader.answers.map(readable)),
    async untilClosed() {
      await until("the connection to close", () => socket.closed || socket.readableEnded);
    },
    close: () => void socket.destroy(),
  };
}

/** Sends bytes on a connection of its own and gives the only answer. */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const connection = openRaw(url);
  connection.send(bytes);
  try {
    const [answer] = await connection.answers(1);
    return answer as RawAnswer;
  } finally {
    connection.close();
  }
}

/** The text of a request; lines are given without their ends. */
export function request(startLine: string, headers: Record<string, string>, body = ""): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${startLine}\r\n${lines.join("")}\r\n${body}`;
}

/** The text of a call that is in order, or its beginning: its head tells how long the whole body is. */
export function callText(
  token: string,
  {
    rpc = "ListAuthorizations",
    body = "{}",
    sent = body,
    headers = {},
  }: { rpc?: string; body?: string; sent?: string; headers?: Record<string, string> } = {},
): string {
  const all = { host: "x", ...callHeaders(token), "content-length": String(body.length), ...headers };
  return request(`POST ${pathOf(rpc)} HTTP/1.1`, all, sent);
}

function readable({ status, headers, body }: Answer): RawAnswer {
  return { status, headers: new Headers([...headers]), body: body.length === 0 ? undefined : JSON.parse(String(body)) };
}
