import { Agent, request as httpRequest } from "node:http";
import { callHeaders } from "../support/call-headers.ts";

/** What came over HTTP, or what became of the connection. */
export type Reply =
  | { readonly kind: "answer"; readonly status: number; readonly body: any }
  | { readonly kind: "not sent"; readonly why: string }
  | { readonly kind: "broken"; readonly why: string };

export type Patience = {
  /** Sent as Connect-Timeout-Ms. */
  readonly deadlineMs: number;
  /** Hangs up after that time. */
  readonly hangUpAfterMs?: number | undefined;
};

/** An answer that takes longer than its deadline by this much never comes. */
const graceMs = 10_000;

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

export function call(
  url: string | undefined,
  rpc: string,
  message: object,
  token: string,
  { deadlineMs, hangUpAfterMs }: Patience,
): Promise<Reply> {
  if (url === undefined) return Promise.resolve({ kind: "not sent", why: "no server" });
  const body = JSON.stringify(message);
  const headers = {
    ...callHeaders(token),
    "content-length": Buffer.byteLength(body),
    "connect-timeout-ms": deadlineMs,
  };
  return new Promise((resolve) => {
    const request = httpRequest(`${url}/${rpc}`, { method: "POST", agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", (error) => end({ kind: "broken", why: error.message }));
      response.on("end", () => end(read(response.statusCode ?? 0, Buffer.concat(chunks).toString())));
    });
    const timers = [setTimeout(() => request.destroy(new Error("no answer in time")), deadlineMs + graceMs)];
    if (hangUpAfterMs !== undefined) {
      timers.push(setTimeout(() => request.destroy(new Error("hung up")), hangUpAfterMs));
    }
    const end = (reply: Reply) => {
      for (const timer of timers) clearTimeout(timer);
      resolve(reply);
    };
    request.on("error", (error: NodeJS.ErrnoException) =>
      end({ kind: error.code === "ECONNREFUSED" ? "not sent" : "broken", why: error.message }),
    );
    request.end(body);
  });
}

function read(status: number, text: string): Reply {
  try {
    return { kind: "answer", status, body: JSON.parse(text) };
  } catch {
    return { kind: "answer", status, body: { code: "not JSON", message: text } };
  }
}
