import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import {
  type DirectoryService,
  OffboardUserRequest_Mode as Mode,
} from "../../../gen/service/directory/v1/directory_service_pb.ts";
import {
  OrganizationsSearchFilterSchema,
  ProjectsSearchFilterSchema,
  UsersSearchFilterSchema,
} from "../../../gen/service/directory/v1/look_up_pb.ts";
import type { PaginationRequest } from "../../../gen/service/filter/v2/filter_pb.ts";
import { requireAnyDirectoryPermission, scopesWith, visibilityOf } from "../../authorization/permissions.ts";
import {
  type LookUps,
  type NamePosition,
  namesOneUser,
  type OrganizationFilter,
  type ProjectFilter,
  type UserFilter,
} from "../../directory/look-ups.ts";
import type { AdministratorPosition, DirectoryStore, NamedEntry, Offboarding } from "../../directory/store.ts";
import { actorOf, callerOf } from "../call.ts";
import { fromScope } from "../messages/access.ts";
import { fromAdministrator, toChange, toScope } from "../messages/changes.ts";
import { toLookUpFilter } from "../messages/look-ups.ts";
import { mutable } from "../messages/mutable.ts";
import { fromAnswer } from "../messages/outcomes.ts";
import { askedPage, asWritten, bytesOf, listId, type PageLimits, type Positions } from "../messages/page.ts";

export function directoryService(
  store: DirectoryStore,
  lookUps: LookUps,
  limits: PageLimits,
): ServiceImpl<typeof DirectoryService> {
  /** The requested page of a look-up. Its name distinguishes the list from those of other look-ups. */
  function askedLookUp<Filter extends DescMessage>(
    name: string,
    schema: Filter,
    request: { pagination?: PaginationRequest | undefined; filters: readonly MessageShape<Filter>[] },
  ) {
    const list = () => listId(name, ...bytesOf(schema, request.filters));
    return askedPage(request.pagination, limits, list, names);
  }

  return {
    async applyChanges({ changes, dryRun, ifVersion, reason }, context) {
      requireAnyDirectoryPermission(callerOf(context));
      const placed = changes.map((change, position) => ({ position, change: toChange(change) }));
      const actor = actorOf(context, reason);
      const request = { actor, changes: placed, dryRun, ifVersion: ifVersion === "" ? undefined : ifVersion };
      const { answer, version } = await store.apply(request, context.signal);
      return { ...fromAnswer(answer), version };
    },

    async offboardUser({ userId, mode, dryRun, reason }, context) {
      const request = { actor: actorOf(context, reason), userId, removes: mode === Mode.REMOVE, dryRun };
      return fromOffboarding(await store.offboard(request, context.signal));
    },

    async listAdministrators({ pagination, userId, scope, role }, context) {
      const ascending = pagination?.asc ?? false;
      // Without a role, page tokens are those of earlier versions.
      const ofRole = role === "" ? [] : [role];
      const list = () => listId("administrators", ascending, userId, scope.case ?? "", String(scope.value), ...ofRole);
      const { part, tell } = askedPage(pagination, limits, list, entryPositions);
      const query = {
        ...part,
        userId: userId === "" ? undefined : userId,
        scope: scope.case === undefined ? undefined : toScope({ scope }),
        role: role === "" ? undefined : role,
        ascending,
      };
      const page = await store.listAdministrators(callerOf(context), query, context.signal);
      return {
        pagination: tell(page),
        administrators: page.items.map(({ user, ...entry }) => fromAdministrator({ userId: user.id, ...entry })),
        entries: page.items.map(fromEntry),
      };
    },

    async listOrganizations(request, context) {
      const asked = askedLookUp("organizations", OrganizationsSearchFilterSchema, request);
      const query = { ...asked.part, filters: request.filters.map(toLookUpFilter<OrganizationFilter>) };
      const page = await lookUps.listOrganizations(visibilityOf(callerOf(context)), query, context.signal);
      return { pagination: asked.tell(page), organizations: mutable(page.items) };
    },

    async listProjects(request, context) {
      const caller = callerOf(context);
      const name = request.assignable ? "assignable projects" : "projects";
      const asked = askedLookUp(name, ProjectsSearchFilterSchema, request);
      const query = { ...asked.part, filters: request.filters.map(toLookUpFilter<ProjectFilter>) };
      if (request.assignable) {
        const page = await lookUps.listAssignable(scopesWith(caller, "user.grant.write"), query, context.signal);
        return {
          pagination: asked.tell(page),
          projects: mutable(page.items).map(({ place, ...project }) => ({ ...project, assignableIn: place })),
        };
      }
      const page = await lookUps.listProjects(caller, query, context.signal);
      return { pagination: asked.tell(page), projects: mutable(page.items) };
    },

    async listUsers(request, context) {
      const caller = callerOf(context);
      const asked = askedLookUp("users", UsersSearchFilterSchema, request);
      const filters = request.filters.map(toLookUpFilter<UserFilter>);
      // Callers who may assign roles can find any user by its exact id or login name (docs/reference/look-ups.md).
      const finds = filters.some(namesOneUser) && scopesWith(caller, "user.grant.write").length > 0;
      const visibility = finds ? "everybody" : visibilityOf(caller);
      const page = await lookUps.listUsers(visibility, { ...asked.part, filters }, context.signal);
      return { pagination: asked.tell(page), users: mutable(page.items) };
    },
  };
}

const names: Positions<NamePosition> = { name: asWritten, id: asWritten, organizationId: asWritten };

const entryPositions: Positions<AdministratorPosition> = {
  userId: asWritten,
  kind: (part) => (/^[0-3]$/.test(part) ? Number(part) : undefined),
  scopeId: asWritten,
};

function fromEntry({ user, scope, roles }: NamedEntry) {
  return { user, scope: fromScope(scope), roles: roles.toSorted() };
}

function fromOffboarding({ administrators, keptAdministrators, ...rest }: Offboarding) {
  return {
    ...mutable(rest),
    administrators: administrators.map(fromEntry),
    keptAdministrators: keptAdministrators.map(fromEntry),
  };
}
