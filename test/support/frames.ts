import { once } from "node:events";
import { connect, type IncomingHttpHeaders } from "node:http2";
import { gunzipSync } from "node:zlib";

/** A message as gRPC and gRPC-Web frame it. */
export type Frame = { readonly flags: number; readonly data: Buffer };

export function frame(
  data: Uint8Array | string,
  { flags = 0, length }: { flags?: number; length?: number } = {},
): Buffer {
  const bytes = Buffer.from(data as string);
  const head = Buffer.alloc(5);
  head.writeUInt8(flags);
  head.writeUInt32BE(length ?? bytes.byteLength, 1);
  return Buffer.concat([head, bytes]);
}

/** All frames of a body, which must hold nothing else. */
export function framesIn(body: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < body.byteLength; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    if (end > body.byteLength) throw new Error("a frame is cut off");
    frames.push({ flags: body.readUInt8(at), data: body.subarray(at + 5, end) });
    at = end;
  }
  return frames;
}

/** The trailers in the last frame of gRPC-Web. */
export function webTrailers(body: Buffer): Headers {
  const last = framesIn(body).at(-1);
  if (last === undefined || (last.flags & 0x80) === 0) throw new Error("the last frame holds no trailers");
  const text = last.flags === 0x81 ? gunzipSync(last.data) : last.data;
  const lines = text.toString().split("\r\n").filter(Boolean);
  return new Headers(lines.map((line) => line.split(": ", 2) as [string, string]));
}

/** How a call in gRPC or gRPC-Web ended. */
export type Ended = {
  readonly httpStatus: number;
  readonly contentType: string | null;
  /** grpc-status, grpc-message and whatever else is in the trailers. */
  readonly trailers: Headers;
  readonly messages: readonly Buffer[];
  /** Connect's JSON, if the request was refused before it reached Connect's router. It has no trailers then. */
  readonly refusal?: { readonly code: string; readonly message: string };
};

type Sent = { readonly headers: Record<string, string>; readonly body: Uint8Array };

/** Sends a body in gRPC-Web over HTTP/1.1, as it is given. */
export async function sendGrpcWeb(url: string, path: string, { headers, body }: Sent): Promise<Ended> {
  const all = { "content-type": "application/grpc-web+proto", ...headers };
  const response = await fetch(url + path, { method: "POST", headers: all, body: Buffer.from(body) });
  const bytes = Buffer.from(await response.arrayBuffer());
  const head = { httpStatus: response.status, contentType: response.headers.get("content-type") };
  if (head.contentType === "application/json") return refusedWith(head, bytes);
  const messages = framesIn(bytes)
    .slice(0, -1)
    .map(({ data }) => data);
  return { ...head, trailers: webTrailers(bytes), messages };
}

function refusedWith(head: Pick<Ended, "httpStatus" | "contentType">, body: Buffer): Ended {
  return { ...head, trailers: new Headers(), messages: [], refusal: JSON.parse(String(body)) };
}

/** Sends a body in gRPC over HTTP/2, as it is given. */
export async function sendGrpc(url: string, path: string, { headers, body }: Sent): Promise<Ended> {
  const session = connect(url);
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      ...headers,
    });
    let trailers = new Headers();
    stream.on("trailers", (sent) => {
      trailers = new Headers(Object.entries(sent) as [string, string][]);
    });
    const response = once(stream, "response") as Promise<[IncomingHttpHeaders & { ":status": number }]>;
    const closed = once(stream, "close");
    stream.end(body);
    const [[sent], chunks] = await Promise.all([response, stream.toArray(), closed]);
    const head = { httpStatus: sent[":status"], contentType: sent["content-type"] ?? null };
    const bytes = Buffer.concat(chunks);
    if (head.contentType === "application/json") return refusedWith(head, bytes);
    return { ...head, trailers, messages: framesIn(bytes).map(({ data }) => data) };
  } finally {
    session.close();
  }
}

export function messageOf({ trailers }: Ended): string {
  return decodeURIComponent(trailers.get("grpc-message") ?? "");
}
