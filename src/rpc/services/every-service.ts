import type { DescService } from "@bufbuild/protobuf";
import type { MethodImpl, ServiceImpl } from "@connectrpc/connect";
import { v7 as newId } from "uuid";
import { AuthorizationHistoryService } from "../../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import { AuthorizationService } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import { CallerService } from "../../../gen/service/authorization/v2/caller_service_pb.ts";
import { CheckService } from "../../../gen/service/authorization/v2/check_service_pb.ts";
import { OverviewService } from "../../../gen/service/authorization/v2/overview_service_pb.ts";
import { DirectoryHistoryService } from "../../../gen/service/directory/v1/directory_history_service_pb.ts";
import { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import { TokenService } from "../../../gen/service/identity/v1/token_service_pb.ts";
import type { AccessStore } from "../../authorization/access-store.ts";
import type { AuthorizationFeed } from "../../authorization/feed.ts";
import type { AuthorizationHistory } from "../../authorization/history.ts";
import type { OverviewStore } from "../../authorization/overview.ts";
import type { RoleCheck } from "../../authorization/role-check.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import type { DirectoryHistory } from "../../directory/history.ts";
import type { LookUps } from "../../directory/look-ups.ts";
import type { DirectoryStore } from "../../directory/store.ts";
import type { CallerStore } from "../../identity/store.ts";
import type { TokenStore } from "../../identity/token-store.ts";
import type { FairQueue } from "../../limits/fair-queue.ts";
import { explainAccess } from "../access/explain-access.ts";
import { getCaller } from "../access/get-caller.ts";
import { changes } from "../authorizations/change-authorizations.ts";
import { checkRoles } from "../authorizations/check-roles.ts";
import { getOverview } from "../authorizations/get-overview.ts";
import { listAuthorizationEvents } from "../authorizations/list-authorization-events.ts";
import { listAuthorizations } from "../authorizations/list-authorizations.ts";
import { applyChanges } from "../directory/apply-changes.ts";
import { listAdministrators } from "../directory/list-administrators.ts";
import { listDirectoryEvents } from "../directory/list-directory-events.ts";
import { listOrganizations } from "../directory/list-organizations.ts";
import { listProjects } from "../directory/list-projects.ts";
import { listUsers } from "../directory/list-users.ts";
import type { PageLimits } from "../messages/page.ts";
import { createToken } from "../tokens/create-token.ts";
import { listTokens } from "../tokens/list-tokens.ts";
import { revokeToken } from "../tokens/revoke-token.ts";

export type Stores = {
  readonly callers: CallerStore;
  readonly authorizations: AuthorizationStore;
  readonly roleCheck: RoleCheck;
  readonly directory: DirectoryStore;
  readonly lookUps: LookUps;
  readonly access: AccessStore;
  readonly history: AuthorizationHistory;
  readonly directoryHistory: DirectoryHistory;
  readonly overview: OverviewStore;
  readonly tokens: TokenStore;
  readonly feed: AuthorizationFeed;
};

export type ServiceLimits = PageLimits & {
  /** The longest lifetime of tokens that callers create. */
  readonly maximumTokenSeconds: number;
};

/** Adds a service. If one of its RPCs is missing, it doesn't compile. */
type Add = <Service extends DescService>(service: Service, rpcs: ServiceImpl<Service>) => void;

/** Every RPC, with the function that answers it. */
export function addServices(
  add: Add,
  stores: Stores,
  limits: ServiceLimits,
  turns: FairQueue,
  watchAuthorizations: MethodImpl<typeof AuthorizationHistoryService.method.watchAuthorizations>,
): void {
  const { authorizations, roleCheck, history, access, overview, directory, directoryHistory, lookUps, tokens } = stores;
  add(AuthorizationService, {
    listAuthorizations: listAuthorizations(authorizations, limits),
    ...changes(authorizations, newId),
  });
  add(AuthorizationHistoryService, {
    listAuthorizationEvents: listAuthorizationEvents(history, limits),
    watchAuthorizations,
  });
  add(CallerService, { explainAccess: explainAccess(access), getCaller: getCaller(access) });
  add(CheckService, { checkRoles: checkRoles(roleCheck) });
  add(OverviewService, { getOverview: getOverview(overview) });
  add(DirectoryService, {
    applyChanges: applyChanges(directory, turns),
    listAdministrators: listAdministrators(directory, limits),
    listOrganizations: listOrganizations(lookUps, limits),
    listProjects: listProjects(lookUps, limits),
    listUsers: listUsers(lookUps, limits),
  });
  add(DirectoryHistoryService, { listDirectoryEvents: listDirectoryEvents(directoryHistory, limits) });
  add(TokenService, {
    createToken: createToken(tokens, limits.maximumTokenSeconds),
    listTokens: listTokens(tokens, limits),
    revokeToken: revokeToken(tokens),
  });
}
