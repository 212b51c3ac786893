import { connect } from "node:net";
import { callHeaders, pathOf } from "./call-headers.ts";
import { until } from "./until.ts";

/** One HTTP answer as it came over the socket. The body is JSON where there is one. */
export type RawAnswer = { readonly status: number; readonly headers: Headers; readonly body: any };

export type RawConnection = ReturnType<typeof openRaw>;

/** A bare connection, for what no HTTP client sends. */
export function openRaw(url: string) {
  const socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen: true });
  let received = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
  });
  socket.on("error", () => {});
  return {
    socket,
    send: (bytes: string | Buffer) => void socket.write(bytes),
    /** Resolves as soon as that many answers have come in full; interim ones do not count. */
    answers: (count: number): Promise<RawAnswer[]> =>
      until(`${count} answers`, () => {
        const all = parse(received);
        return all.length >= count && all;
      }),
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

function parse(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = bytes;
  for (;;) {
    const end = rest.indexOf("\r\n\r\n");
    if (end < 0) return answers;
    const [statusLine = "", ...lines] = rest.subarray(0, end).toString("latin1").split("\r\n");
    const headers = new Headers(
      lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
    );
    const status = Number(statusLine.split(" ")[1]);
    const length = Number(headers.get("content-length") ?? 0);
    const body = rest.subarray(end + 4, end + 4 + length);
    if (body.length < length) return answers;
    rest = rest.subarray(end + 4 + length);
    if (status >= 200) answers.push({ status, headers, body: length === 0 ? undefined : JSON.parse(body.toString()) });
  }
}
