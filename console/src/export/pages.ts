import type { PaginationResponse } from "@authorization-service/client";
import { ConnectError, type Transport } from "@connectrpc/connect";
import { isUnreachable, reasonOf } from "../parts/failure.ts";
import { atMost } from "../settings.ts";
import type { Exported, Rows } from "./export-list.ts";

/** A page of a list, as requests name it. */
export type Asked = { readonly limit: number; readonly pageToken: string; readonly skipTotal: boolean };

type Answer = { readonly pagination?: PaginationResponse | undefined };

/** Pauses before a failed page is requested again, in milliseconds. After the last one, the export has failed. */
const patience = [1_000, 2_000, 4_000, 8_000];

/**
 * All pages of a list, as long as the server takes them. Throws if the signal is aborted.
 *
 * @param waits how long to wait before each repetition of a page that failed
 */
export async function* allPages<Page extends Answer>(
  ask: (asked: Asked) => Promise<Page>,
  signal: AbortSignal,
  waits: readonly number[] = [],
) {
  const asked = { limit: atMost(1_000), pageToken: "", skipTotal: false };
  do {
    const page = await patiently(() => ask({ ...asked }), signal, waits);
    yield page;
    asked.pageToken = page.pagination?.nextPageToken ?? "";
    // The total is counted only once, because pages are cheaper without it.
    asked.skipTotal = true;
  } while (asked.pageToken !== "");
}

/** The rows of all pages of a list. */
export function rowsOfAll<Page extends Answer>(
  ask: (transport: Transport, asked: Asked, signal: AbortSignal) => Promise<Page>,
  linesOf: (page: Page) => Rows["rows"],
): Exported["rows"] {
  return async function* (transport, signal) {
    let total: number | undefined;
    for await (const page of allPages((asked) => ask(transport, asked, signal), signal, patience)) {
      total ??= page.pagination?.totalResult ?? 0;
      yield { rows: linesOf(page), total };
    }
  };
}

/** Repeats requests if that can help, so a short restart of the server doesn't lose what was exported so far. */
export async function patiently<T>(
  ask: () => Promise<T>,
  signal: AbortSignal,
  waits: readonly number[] = patience,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { metadata } = ConnectError.from(error);
    const [wait, ...later] = waits;
    const mayPass = isUnreachable(error) || reasonOf(ConnectError.from(error)) === "RATE_LIMITED";
    if (wait === undefined || !mayPass) throw error;
    await pause(Number(metadata.get("retry-after")) * 1_000 || wait, signal);
    return patiently(ask, signal, later);
  }
}

/** Throws if the signal is aborted. */
async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => resolve(clearTimeout(timer)));
  });
  signal.throwIfAborted();
}
