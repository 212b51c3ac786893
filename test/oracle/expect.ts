import { applyChanges } from "./model/apply-changes.ts";
import { type BatchRequest, batch, requireAll } from "./model/batches.ts";
import { explainAccess, getCaller } from "./model/caller.ts";
import {
  createAuthorization,
  deleteAuthorization,
  type Ending,
  setState,
  updateAuthorization,
} from "./model/changes-of-authorizations.ts";
import { checkRoles } from "./model/check-roles.ts";
import { listAuthorizations } from "./model/list.ts";
import { listAdministrators } from "./model/list-administrators.ts";
import { listDirectoryEvents } from "./model/list-directory-events.ts";
import { listEvents } from "./model/list-events.ts";
import { listOrganizations, listProjects, listUsers } from "./model/look-ups.ts";
import { mayRemoveUser } from "./model/may-change.ts";
import { type OffboardRequest, offboardUser } from "./model/offboard.ts";
import { getOverview } from "./model/overview.ts";
import { type Problem, Refused } from "./model/refused.ts";
import type { Given, World } from "./model/world.ts";
import type { BatchOperation, Operation, Requested } from "./operations.ts";
import type { Answer } from "./product.ts";
import { assignableOf, changesOf, createRequestOf, idOf, sinceOf } from "./resolve.ts";
import { listDirectoryEventsRequestOf, listEventsRequestOf } from "./resolve-events.ts";
import { filteredRequestOf } from "./resolve-list.ts";
import { lookUpRequestOf } from "./resolve-look-up.ts";

/** A request as it is sent, and the one about what never was that has to be refused alike. */
export type Request = {
  readonly path: string;
  readonly body: object;
  readonly writes: boolean;
  readonly twin?: object;
  /** The one about a user that never was, which has to be refused as one about a user that is not to be known of. */
  readonly userTwin?: object;
};

/** What the model says the answer is. */
export type Expected =
  | { readonly body: unknown }
  | {
      /** Any of these. */
      readonly problems: readonly Problem[];
      readonly metadata: Record<string, string> | undefined;
    };

const authorizationService = "authorization.v2.AuthorizationService";
const callerService = "authorization.v2.CallerService";
const directoryService = "directory.v1.DirectoryService";

/** No case has anything of this name. */
const never = "nothing has this id";

/** What only reads: the RPC of each, and its body in the world as it is. */
const reading: Readonly<
  Record<string, readonly [path: string, bodyOf: (world: World, as: string, asked: any) => object]>
> = {
  list: [`${authorizationService}/ListAuthorizations`, filteredRequestOf],
  overview: ["authorization.v2.OverviewService/GetOverview", filteredRequestOf],
  listAdministrators: [`${directoryService}/ListAdministrators`, asItIs],
  getCaller: [`${callerService}/GetCaller`, asItIs],
  checkRoles: ["authorization.v2.CheckService/CheckRoles", asItIs],
  listEvents: ["authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents", listEventsRequestOf],
  listDirectoryEvents: ["directory.v1.DirectoryHistoryService/ListDirectoryEvents", listDirectoryEventsRequestOf],
};

function asItIs(_world: World, _as: string, asked: object): object {
  return asked;
}

/** Makes the request of an operation in the world as it is. */
export function requestOf(world: World, operation: Requested): Request {
  const { as } = operation;
  for (const [kind, asked] of Object.entries(operation)) {
    const [path, bodyOf] = reading[kind] ?? [];
    if (path !== undefined && bodyOf !== undefined) return { path, body: bodyOf(world, as, asked), writes: false };
  }
  if ("explainAccess" in operation) return explainRequestOf(world, as, operation.explainAccess);
  if ("lookUp" in operation) {
    const body = lookUpRequestOf(world, operation.lookUp);
    return { path: `${directoryService}/${operation.lookUp.rpc}`, body, writes: false };
  }
  if ("apply" in operation) {
    const changes = changesOf(world, as, operation.apply);
    return { path: `${directoryService}/ApplyChanges`, body: { changes }, writes: true };
  }
  if ("offboard" in operation) return offboardRequestOf(world, as, operation.offboard);
  if ("batch" in operation) return batchRequestOf(world, as, operation.batch);
  if ("create" in operation) {
    const body = createRequestOf(world, operation.create);
    const twin = { userId: never, projectId: never, organizationId: never, roleKeys: [] };
    return { path: `${authorizationService}/CreateAuthorization`, body, writes: true, twin };
  }
  return changeRequestOf(world, operation);
}

function explainRequestOf(
  world: World,
  as: string,
  { target, about }: Extract<Operation, { explainAccess: unknown }>["explainAccess"],
): Request {
  const authorizationId = idOf(world, as, target);
  const its = world.authorizations.get(authorizationId)?.userId ?? "";
  const userId = about === "its" ? its : about;
  return {
    path: `${callerService}/ExplainAccess`,
    body: { authorizationId, ...(userId === "" ? {} : { userId }) },
    writes: false,
    twin: { authorizationId: never, userId },
    userTwin: { authorizationId, userId: never },
  };
}

/** Someone who may know of the user can hear what else is lacking to remove it. */
function offboardRequestOf(world: World, as: string, body: OffboardRequest): Request {
  const isUnknown = body.mode === "MODE_SUSPEND" || !mayRemoveUser(world, as, body.userId);
  const twin = isUnknown ? { userTwin: { ...body, userId: never } } : {};
  return { path: `${directoryService}/OffboardUser`, body, writes: true, ...twin };
}

/** Each item as its single call would be, in the world as it is before all of them. */
function batchRequestOf(world: World, as: string, { items, atomic }: BatchOperation): Request {
  const singles = items.map((item) => requestOf(world, { as, ...item } as Requested));
  const single = singles[0]?.path.split("/")[1] ?? "UpdateAuthorization";
  const body = { items: singles.map((request) => request.body), atomic };
  const state = { ActivateAuthorization: "STATE_ACTIVE", DeactivateAuthorization: "STATE_INACTIVE" }[single];
  const rpc = state === undefined ? `Batch${single}s` : "BatchSetState";
  return { path: `${authorizationService}/${rpc}`, body: { ...body, ...(state && { state }) }, writes: true };
}

function changeRequestOf(world: World, operation: Requested): Request {
  const changing = { update: "Update", delete: "Delete", activate: "Activate", deactivate: "Deactivate" };
  const [kind, asked] = Object.entries<any>(operation).find(([name]) => name in changing) ?? [];
  const rpc = changing[kind as keyof typeof changing];
  const id = idOf(world, operation.as, asked.target);
  const keys = "roleKeys" in asked ? { roleKeys: keysOf(world, id, asked), ...endingOf(asked) } : {};
  const rest = { ...keys, ...sinceOf(world, id, asked.since) };
  return {
    path: `${authorizationService}/${rpc}Authorization`,
    body: { id, ...rest },
    writes: true,
    twin: { id: never, ...rest },
  };
}

function endingOf({ expirationDate, removeExpiration }: Ending): Ending {
  return { ...(expirationDate !== undefined && { expirationDate }), ...(removeExpiration && { removeExpiration }) };
}

/** The same set comes in another order, which must not count as a change. */
function keysOf(
  world: World,
  id: string,
  { roleKeys, onlyAssignable }: Extract<Operation, { update: unknown }>["update"],
): string[] {
  const authorization = world.authorizations.get(id);
  if (roleKeys === "same") return authorization?.roleKeys.toReversed() ?? [];
  return onlyAssignable && authorization ? assignableOf(world, authorization, roleKeys) : roleKeys;
}

/** Lets the model answer, and change its world as the service is to have changed its own. */
export function expectedAnswer(world: World, as: string, request: Request, answer: Answer, given: Given): Expected {
  try {
    if (as !== "import" && !world.tokens.has(as)) throw new Refused("UNAUTHENTICATED", {});
    return { body: bodyOf(world, as, request, answer, given) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { problems: error.problems, metadata: error.metadata };
  }
}

type Answering = (world: World, as: string, body: any, answer: Answer, given: Given) => unknown;

/** The body of each RPC's answer. */
const answering: Readonly<Record<string, Answering>> = {
  ListAuthorizations: listAuthorizations,
  ListAuthorizationEvents: listEvents,
  ListDirectoryEvents: listDirectoryEvents,
  GetOverview: getOverview,
  ListAdministrators: listAdministrators,
  GetCaller: getCaller,
  ExplainAccess: explainAccess,
  CheckRoles: (world, as, body, answer) => checkRoles(world, as, body, answer.body?.results ?? []),
  ListOrganizations: listOrganizations,
  ListProjects: listProjects,
  ListUsers: listUsers,
  ApplyChanges: (world, as, { changes }, _, given) => applyChanges(world, as === "import" ? null : as, changes, given),
  OffboardUser: (world, as, body, _, given) => offboardUser(world, as, body, given),
  CreateAuthorization: (world, as, body, answer, given) =>
    createAuthorization(world, as, body, answer.body?.id ?? "no id", given),
  UpdateAuthorization: (world, as, body, _, given) => updateAuthorization(world, as, body, given),
  ActivateAuthorization: (world, as, body, _, given) => setState(world, as, "STATE_ACTIVE", body, given),
  DeactivateAuthorization: (world, as, body, _, given) => setState(world, as, "STATE_INACTIVE", body, given),
  DeleteAuthorization: (world, as, body, _, given) => deleteAuthorization(world, as, body, given),
};

function bodyOf(world: World, as: string, { path, body }: Request, answer: Answer, given: Given): unknown {
  const rpc = path.split("/")[1] ?? "";
  if (rpc.startsWith("Batch")) {
    const request = body as BatchRequest;
    if (request.atomic) requireAll(world, as, rpc, request);
    return batch(world, as, rpc, request, answer.body?.results ?? [], given);
  }
  const answerOf = answering[rpc];
  if (answerOf === undefined) throw new Error(`the model knows no ${path}`);
  return answerOf(world, as, body, answer, given);
}
