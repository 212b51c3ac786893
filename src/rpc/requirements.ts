import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { AuthorizationHistoryService } from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { CallerService } from "../../gen/service/authorization/v2/caller_service_pb.ts";
import { OverviewService } from "../../gen/service/authorization/v2/overview_service_pb.ts";
import { DirectoryHistoryService } from "../../gen/service/directory/v1/directory_history_service_pb.ts";
import { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import { TokenService } from "../../gen/service/identity/v1/token_service_pb.ts";
import { type Caller, requireAnyDirectoryPermission } from "../authorization/permissions.ts";

/** What holds for an RPC whatever a request says. It is checked before the request is read. */
export type Requirement = {
  /** The most bytes of a request, also of an unpacked one (docs/reference/limits.md). */
  readonly mostBytes: number;
  /** Whether it only reads, so that its statements prove a remembered caller. */
  readonly isRead?: boolean;
  /** Throws a refusal if the caller lacks what every request needs. */
  readonly requires?: (caller: Caller) => void;
};

const aboutCaller: Requirement = { mostBytes: 4 * 1_024, isRead: true };
const oneChange: Requirement = { mostBytes: 256 * 1_024 };
const list: Requirement = { mostBytes: 512 * 1_024, isRead: true };
const manyChanges: Requirement = { mostBytes: 1_024 * 1_024 };

const requirements = new Map<DescMethod, Requirement>([
  ...of(AuthorizationService, {
    listAuthorizations: list,
    createAuthorization: oneChange,
    updateAuthorization: oneChange,
    deleteAuthorization: oneChange,
    activateAuthorization: oneChange,
    deactivateAuthorization: oneChange,
    batchCreateAuthorizations: manyChanges,
    batchUpdateAuthorizations: manyChanges,
    batchDeleteAuthorizations: manyChanges,
    batchSetState: manyChanges,
  }),
  ...of(AuthorizationHistoryService, { listAuthorizationEvents: list }),
  ...of(CallerService, { explainAccess: { ...oneChange, isRead: true }, getCaller: aboutCaller }),
  ...of(OverviewService, { getOverview: list }),
  ...of(DirectoryService, {
    // Reading a thousand changes takes time.
    applyChanges: { ...manyChanges, requires: requireAnyDirectoryPermission },
    listAdministrators: list,
    listOrganizations: list,
    listProjects: list,
    listUsers: list,
  }),
  ...of(DirectoryHistoryService, { listDirectoryEvents: list }),
  ...of(TokenService, { createToken: oneChange, listTokens: list, revokeToken: oneChange }),
]);

/** One for each RPC of a service. If one is missing, it doesn't compile. */
function of<Service extends DescService>(
  { methods }: Service,
  ofService: { readonly [Name in keyof Service["method"]]: Requirement },
): [DescMethod, Requirement][] {
  return methods.map((method) => [method, ofService[method.localName as keyof Service["method"]]]);
}

export function requirementOf(method: DescMethod): Requirement {
  const found = requirements.get(method);
  if (found === undefined) throw new Error(`${method} has no requirements`);
  return found;
}
