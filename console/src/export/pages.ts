import {
  type Authorization,
  type AuthorizationService,
  ErrorInfoSchema,
  type ListAuthorizationsRequest,
  type ListAuthorizationsResponse,
} from "@authorization-service/client";
import { type Client, ConnectError } from "@connectrpc/connect";
import { isUnreachable, reasonOf } from "../parts/failure.ts";

/** A list as the table asks for it, whatever the page. */
export type List = Pick<ListAuthorizationsRequest, "filters" | "sortingColumn"> & { readonly asc: boolean };

export type Page = {
  readonly authorizations: readonly Authorization[];
  /** How many there were when the first page was answered. */
  readonly total: number;
};

/** As many as a server answers at once unless it is configured otherwise. */
const usualMaximum = 1000;
/** Milliseconds before a page that could not be had is asked for again. After the last one it has failed. */
const patience = [1_000, 2_000, 4_000, 8_000];

/** The whole list, page by page, each as large as the server makes it. Throws when the signal is aborted. */
export async function* pagesOf(
  client: Client<typeof AuthorizationService>,
  { asc, ...list }: List,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  let limit = usualMaximum;
  let pageToken = "";
  let total: number | undefined;

  async function next(): Promise<ListAuthorizationsResponse> {
    // The total is counted once: pages are cheaper without.
    const page = { asc, limit, pageToken, skipTotal: total !== undefined };
    try {
      return await patiently(() => client.listAuthorizations({ ...list, pagination: page }, { signal }), signal);
    } catch (error) {
      const maximum = maximumToldBy(error);
      if (maximum === undefined || maximum >= limit) throw error;
      limit = maximum;
      return next();
    }
  }

  do {
    const answer = await next();
    total ??= answer.pagination?.totalResult ?? 0;
    pageToken = answer.pagination?.nextPageToken ?? "";
    yield { authorizations: answer.authorizations, total };
  } while (pageToken !== "");
}

/** Asks again where that may help: a server that restarts for a moment does not cost what was exported so far. */
async function patiently<T>(ask: () => Promise<T>, signal: AbortSignal, waits = patience): Promise<T> {
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

/** What the server says that a page may hold, where it was asked for more. */
function maximumToldBy(error: unknown): number | undefined {
  const info = ConnectError.from(error).findDetails(ErrorInfoSchema)[0];
  return info?.reason === "LIMIT_EXCEEDED" ? Number(info.metadata.maximum) : undefined;
}
