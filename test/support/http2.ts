import { connect, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http2";
import { callHeaders, pathOf } from "./call-headers.ts";
import type { Answer } from "./server.ts";

export type Http2Client = ReturnType<typeof openHttp2>;

/** A connection with HTTP/2, with prior knowledge in clear text. */
export function openHttp2(url: string, options: Parameters<typeof connect>[1] = {}) {
  const session = connect(url, options);
  session.on("error", () => {});

  function send(headers: OutgoingHttpHeaders, body?: string | Buffer): Promise<Answer> {
    const stream = session.request(headers, { endStream: body === undefined });
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let answered: IncomingHttpHeaders | undefined;
      stream.on("response", (found) => {
        answered = found;
      });
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("error", reject);
      stream.on("close", () => {
        if (answered === undefined) return reject(new Error(`the stream was reset with ${stream.rstCode}`));
        const text = Buffer.concat(chunks).toString();
        const { ":status": status, ...headers } = answered;
        const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
        const body = text === "" ? undefined : JSON.parse(text);
        return resolve({ status: Number(status), headers: new Headers(pairs), body });
      });
      if (body !== undefined) stream.end(body);
    });
  }

  return {
    session,
    send,
    get: (path: string, headers?: OutgoingHttpHeaders) => send({ ":path": path, ...headers }),
    /** Calls an RPC, of AuthorizationService if only its name is given. */
    call: (rpc: string, token: string, request: object = {}, headers: OutgoingHttpHeaders = {}) =>
      send(callOf(rpc, token, headers), JSON.stringify(request)),
    close: () =>
      new Promise<void>((resolve) => {
        if (session.destroyed) resolve();
        else session.close(() => resolve());
      }),
  };
}

/** The headers of a call in JSON. */
export function callOf(rpc: string, token: string, headers: OutgoingHttpHeaders = {}): OutgoingHttpHeaders {
  return {
    ":method": "POST",
    ":path": pathOf(rpc),
    ...callHeaders(token),
    ...headers,
  };
}
