import type {
  Authorization,
  AuthorizationService,
  ListAuthorizationsRequest,
  ListAuthorizationsResponse,
} from "@authorization-service/client";
import { type Client, ConnectError } from "@connectrpc/connect";
import { isUnreachable, reasonOf, withinMaximum } from "../parts/failure.ts";

/** The table's list, without the page. */
export type List = Pick<ListAuthorizationsRequest, "filters" | "sortingColumn"> & { readonly asc: boolean };

export type Page = {
  readonly authorizations: readonly Authorization[];
  /** The total when the first page was answered. */
  readonly total: number;
};

/** The default maximum page size of a server. */
const usualMaximum = 1000;
/** Pauses before a failed page is requested again, in milliseconds. After the last one, the export has failed. */
const patience = [1_000, 2_000, 4_000, 8_000];

/** Reads the whole list in pages of the server's maximum size. Throws if the signal is aborted. */
export async function* pagesOf(
  client: Client<typeof AuthorizationService>,
  { asc, ...list }: List,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  const limited = withinMaximum(usualMaximum);
  let pageToken = "";
  let total: number | undefined;

  function next(): Promise<ListAuthorizationsResponse> {
    return limited((limit) => {
      // The total is counted only once, because pages are cheaper without it.
      const page = { asc, limit, pageToken, skipTotal: total !== undefined };
      return patiently(() => client.listAuthorizations({ ...list, pagination: page }, { signal }), signal);
    });
  }

  do {
    const answer = await next();
    total ??= answer.pagination?.totalResult ?? 0;
    pageToken = answer.pagination?.nextPageToken ?? "";
    yield { authorizations: answer.authorizations, total };
  } while (pageToken !== "");
}

/** Repeats requests if that can help, so a short restart of the server doesn't lose what was exported so far. */
export async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal, waits = patience): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    signal.throwIfAborted();
    const [wait, ...later] = waits;
    const mayPass = isUnreachable(error) || reasonOf(ConnectError.from(error)) === "RATE_LIMITED";
    if (wait === undefined || !mayPass) throw error;
    const told = Number(ConnectError.from(error).metadata.get("retry-after")) * 1_000;
    await pause(told || wait, signal);
    return patiently(ask, signal, later);
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}
