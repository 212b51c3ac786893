import { Code, ConnectError, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { onTestFinished } from "vitest";
import { type CopyClients, type CopyOptions, keepCopy } from "../../client/copy.js";
import { AuthorizationHistoryService } from "../../client/gen/service/authorization/v2/authorization_history_service_pb.js";
import { AuthorizationService } from "../../client/gen/service/authorization/v2/authorization_service_pb.js";
import { CallerService } from "../../client/gen/service/authorization/v2/caller_service_pb.js";

/** Sends a token with every call. */
export function transportWith(baseUrl: string, token: string): Transport {
  const withToken: Interceptor = (next) => (request) => {
    request.header.set("authorization", `Bearer ${token}`);
    return next(request);
  };
  return createConnectTransport({ baseUrl, httpVersion: "1.1", interceptors: [withToken] });
}

/** Clients of whatever server is there when they are called. */
export function copyClients(url: () => string | undefined, token: string): CopyClients {
  const transport = () => {
    const baseUrl = url();
    if (baseUrl === undefined) throw new ConnectError("no server is there", Code.Unavailable);
    return transportWith(baseUrl, token);
  };
  return {
    authorizations: {
      listAuthorizations: (request, options) =>
        createClient(AuthorizationService, transport()).listAuthorizations(request, options),
    },
    history: {
      watchAuthorizations: (request, options) =>
        createClient(AuthorizationHistoryService, transport()).watchAuthorizations(request, options),
    },
    caller: { getCaller: (request, options) => createClient(CallerService, transport()).getCaller(request, options) },
  };
}

/** A copy that is kept until the test ends, as `compared` shows it, and how it ended. */
export function followCopy(clients: CopyClients, where?: CopyOptions["where"]) {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  const known: { rows: string[] | undefined; failure?: unknown } = { rows: undefined };
  const following = (async () => {
    try {
      for await (const copy of keepCopy(clients, { signal: over.signal, ...(where && { where }) }))
        known.rows = [...copy.values()].map(compared).sort();
    } catch (error) {
      known.failure = error;
    }
  })();
  return { known, following };
}

type Compared = {
  readonly id: string;
  readonly userId: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly roleKeys: readonly string[];
  readonly state: number;
  readonly changeDate?: { seconds: bigint; nanos: number } | undefined;
  readonly expirationDate?: { seconds: bigint; nanos: number } | undefined;
};

/** Everything that a copy has of an assignment, as a text. */
function compared(one: Compared): string {
  const at = (date: Compared["changeDate"]) => (date === undefined ? "–" : `${date.seconds}.${date.nanos}`);
  const { id, userId, projectId, organizationId, roleKeys, state, changeDate, expirationDate } = one;
  return [id, userId, projectId, organizationId, roleKeys, state, at(changeDate), at(expirationDate)].join(" ");
}

/** What a caller sees now, in the same form. */
export async function seenBy(clients: CopyClients): Promise<string[]> {
  const { signal } = new AbortController();
  const { authorizations } = await clients.authorizations.listAuthorizations(
    { pagination: { limit: 1_000 } },
    { signal },
  );
  return authorizations
    .map(({ user, project, organization, roles, ...rest }) =>
      compared({
        ...rest,
        userId: user?.id ?? "",
        projectId: project?.id ?? "",
        organizationId: organization?.id ?? "",
        roleKeys: roles.map(({ key }) => key),
      }),
    )
    .sort();
}
