import { post } from "../support/call-headers.ts";

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

export async function call(
  url: string | undefined,
  rpc: string,
  message: object,
  token: string,
  { deadlineMs, hangUpAfterMs }: Patience,
): Promise<Reply> {
  if (url === undefined) return { kind: "not sent", why: "no server" };
  const late = AbortSignal.timeout(deadlineMs + graceMs);
  const signal = hangUpAfterMs === undefined ? late : AbortSignal.any([late, AbortSignal.timeout(hangUpAfterMs)]);
  const headers = { "accept-encoding": "identity", "connect-timeout-ms": String(deadlineMs) };
  try {
    const answer = await post(url, token, rpc, message, { signal, headers });
    return read(answer.status, await answer.text());
  } catch (error) {
    if (signal.aborted) return { kind: "broken", why: late.aborted ? "no answer in time" : "hung up" };
    const { code, message: why } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    return { kind: code === "ECONNREFUSED" ? "not sent" : "broken", why };
  }
}

function read(status: number, text: string): Reply {
  try {
    return { kind: "answer", status, body: JSON.parse(text) };
  } catch {
    return { kind: "answer", status, body: { code: "not JSON", message: text } };
  }
}
