import type { DescMethod, DescMethodUnary, DescService } from "@bufbuild/protobuf";
import { v7 as newId } from "uuid";
import { AuthorizationHistoryService } from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { CallerService } from "../../gen/service/authorization/v2/caller_service_pb.ts";
import { OverviewService } from "../../gen/service/authorization/v2/overview_service_pb.ts";
import { DirectoryHistoryService } from "../../gen/service/directory/v1/directory_history_service_pb.ts";
import { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import { TokenService } from "../../gen/service/identity/v1/token_service_pb.ts";
import type { AccessStore } from "../authorization/access-store.ts";
import type { AuthorizationHistory } from "../authorization/history.ts";
import type { OverviewStore } from "../authorization/overview.ts";
import type { AuthorizationStore } from "../authorization/store.ts";
import type { DirectoryHistory } from "../directory/history.ts";
import type { LookUps } from "../directory/look-ups.ts";
import type { DirectoryStore } from "../directory/store.ts";
import type { TokenStore } from "../identity/token-store.ts";
import { explainAccess } from "./access/explain-access.ts";
import { getCaller } from "./access/get-caller.ts";
import { changes } from "./authorizations/change-authorizations.ts";
import { getOverview } from "./authorizations/get-overview.ts";
import { listAuthorizationEvents } from "./authorizations/list-authorization-events.ts";
import { listAuthorizations } from "./authorizations/list-authorizations.ts";
import { applyChanges } from "./directory/apply-changes.ts";
import { listAdministrators } from "./directory/list-administrators.ts";
import { listDirectoryEvents } from "./directory/list-directory-events.ts";
import { listOrganizations } from "./directory/list-organizations.ts";
import { listProjects } from "./directory/list-projects.ts";
import { listUsers } from "./directory/list-users.ts";
import { type Counting, countHere } from "./door/counting.ts";
import type { Handler } from "./door/handler.ts";
import type { PageLimits } from "./messages/page.ts";
import { createToken } from "./tokens/create-token.ts";
import { listTokens } from "./tokens/list-tokens.ts";
import { revokeToken } from "./tokens/revoke-token.ts";

/** The stores that RPCs use, apart from the one for callers. */
export type Answering = {
  readonly authorizations: AuthorizationStore;
  readonly directory: DirectoryStore;
  readonly lookUps: LookUps;
  readonly access: AccessStore;
  readonly history: AuthorizationHistory;
  readonly directoryHistory: DirectoryHistory;
  readonly overview: OverviewStore;
  readonly tokens: TokenStore;
};

export type ServiceLimits = PageLimits & {
  /** The longest lifetime of tokens that callers create. */
  readonly maximumTokenSeconds: number;
};

/** Every RPC with the function that answers it. If one is missing, it doesn't compile. */
export function services(stores: Answering, limits: ServiceLimits, counting: Counting = countHere): Served[] {
  const { authorizations, directory, lookUps, access, history, directoryHistory, overview, tokens } = stores;
  return [
    ...served(AuthorizationService, {
      listAuthorizations: listAuthorizations(authorizations, limits),
      ...changes(authorizations, newId),
    }),
    ...served(AuthorizationHistoryService, {
      listAuthorizationEvents: listAuthorizationEvents(history, limits),
    }),
    ...served(CallerService, {
      explainAccess: explainAccess(access),
      getCaller: getCaller(access),
    }),
    ...served(OverviewService, {
      getOverview: getOverview(overview),
    }),
    ...served(DirectoryService, {
      applyChanges: applyChanges(directory, counting),
      listAdministrators: listAdministrators(directory, limits),
      listOrganizations: listOrganizations(lookUps, limits),
      listProjects: listProjects(lookUps, limits),
      listUsers: listUsers(lookUps, limits),
    }),
    ...served(DirectoryHistoryService, {
      listDirectoryEvents: listDirectoryEvents(directoryHistory, limits),
    }),
    ...served(TokenService, {
      createToken: createToken(tokens, limits.maximumTokenSeconds),
      listTokens: listTokens(tokens, limits),
      revokeToken: revokeToken(tokens),
    }),
  ];
}

/** An RPC, and the function that answers it. */
type Served = { readonly method: DescMethodUnary; readonly handler: Handler<DescMethodUnary> };

/** The RPCs of a service, each with its function. */
function served<Service extends DescService>(
  service: Service,
  handlers: { readonly [Name in keyof Service["method"]]: Handler<Service["method"][Name]> },
): Served[] {
  return Object.entries<DescMethod>(service.method).map(([name, method]) => {
    if (!isUnary(method)) throw new Error(`${method} streams, and only RPCs with one answer are served`);
    return { method, handler: handlers[name as keyof Service["method"]] as Handler<DescMethodUnary> };
  });
}

function isUnary(method: DescMethod): method is DescMethodUnary {
  return method.methodKind === "unary";
}
