import type { DescService } from "@bufbuild/protobuf";
import type { MethodImpl, ServiceImpl } from "@connectrpc/connect";
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
import type { ReadOverview } from "../../authorization/overview.ts";
import type { RoleCheck } from "../../authorization/role-check.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import type { DirectoryHistory } from "../../directory/history.ts";
import type { LookUps } from "../../directory/look-ups.ts";
import type { DirectoryStore } from "../../directory/store.ts";
import type { CallerStore } from "../../identity/store.ts";
import type { TokenStore } from "../../identity/token-store.ts";
import type { PageLimits } from "../messages/page.ts";
import { authorizationHistoryService } from "./authorization-history-service.ts";
import { authorizationService } from "./authorization-service.ts";
import { callerService } from "./caller-service.ts";
import { checkService } from "./check-service.ts";
import { directoryHistoryService } from "./directory-history-service.ts";
import { directoryService } from "./directory-service.ts";
import { overviewService } from "./overview-service.ts";
import { tokenService } from "./token-service.ts";

export type Stores = {
  readonly callers: CallerStore;
  readonly authorizations: AuthorizationStore;
  readonly roleCheck: RoleCheck;
  readonly directory: DirectoryStore;
  readonly lookUps: LookUps;
  readonly access: AccessStore;
  readonly history: AuthorizationHistory;
  readonly directoryHistory: DirectoryHistory;
  readonly readOverview: ReadOverview;
  readonly tokens: TokenStore;
  readonly feed: AuthorizationFeed;
};

export type ServiceLimits = PageLimits & {
  /** The longest lifetime of tokens that callers create. */
  readonly maximumTokenSeconds: number;
};

/** Adds a service. If one of its RPCs is missing, it doesn't compile. */
type Add = <Service extends DescService>(service: Service, rpcs: ServiceImpl<Service>) => void;

/** Every service, with what answers its RPCs. */
export function addServices(
  add: Add,
  stores: Stores,
  limits: ServiceLimits,
  watchAuthorizations: MethodImpl<typeof AuthorizationHistoryService.method.watchAuthorizations>,
): void {
  add(AuthorizationService, authorizationService(stores.authorizations, limits));
  add(AuthorizationHistoryService, authorizationHistoryService(stores.history, watchAuthorizations, limits));
  add(CallerService, callerService(stores.access));
  add(CheckService, checkService(stores.roleCheck));
  add(OverviewService, overviewService(stores.readOverview));
  add(DirectoryService, directoryService(stores.directory, stores.lookUps, limits));
  add(DirectoryHistoryService, directoryHistoryService(stores.directoryHistory, limits));
  add(TokenService, tokenService(stores.tokens, limits));
}
