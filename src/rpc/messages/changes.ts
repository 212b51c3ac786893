import type { MessageInitShape } from "@bufbuild/protobuf";
import { State } from "../../../gen/service/authorization/v2/authorization_pb.ts";
import type {
  Administrator,
  AdministratorSchema,
  Authorization,
  Change as ChangeMessage,
  Removal as RemovalMessage,
} from "../../../gen/service/directory/v1/change_pb.ts";
import { instance, type Scope } from "../../authorization/permissions.ts";
import type { Change, Removal, Upsert } from "../../directory/change.ts";
import { toInstant } from "./timestamps.ts";

/** The message must have passed validation. */
export function toChange({ change }: ChangeMessage): Change {
  switch (change.case) {
    case "organization":
    case "user":
    case "project":
    case "projectRole":
    case "projectGrant":
      return { kind: change.case, ...change.value } as Change;
    case "administrator":
      return { ...change.value, kind: change.case, scope: toScope(change.value) };
    case "authorization":
      return toAuthorization(change.value);
    case "remove":
      return { kind: "removal", thing: toRemoval(change.value) };
    case undefined:
      throw new Error("a change without a kind passed validation");
  }
}

export function fromAdministrator({ userId, scope, roles }: Omit<Upsert & { kind: "administrator" }, "kind">) {
  return { userId, scope: fromScope(scope), roles: [...roles] };
}

function fromScope({ kind, id }: Scope): NonNullable<MessageInitShape<typeof AdministratorSchema>["scope"]> {
  return kind === "instance" ? { case: kind, value: true } : { case: `${kind}Id`, value: id };
}

function toRemoval({ thing }: RemovalMessage): Removal {
  switch (thing.case) {
    case "organizationId":
    case "userId":
    case "projectId":
    case "projectGrantId":
    case "authorizationId":
      return { kind: kindOf(thing.case), id: thing.value };
    case "projectRole":
      return { kind: "projectRole", projectId: thing.value.projectId, key: thing.value.key };
    case "administrator":
      return { kind: "administrator", userId: thing.value.userId, scope: toScope(thing.value) };
    case undefined:
      throw new Error("a removal of nothing passed validation");
  }
}

export function toScope({ scope }: Pick<Administrator, "scope">): Scope {
  if (scope.case === undefined) throw new Error("an administrator without a scope passed validation");
  return scope.case === "instance" ? instance : { kind: kindOf(scope.case), id: scope.value };
}

/** What the id in a field of this name is of. */
function kindOf<Kind extends string>(field: `${Kind}Id`): Kind {
  return field.slice(0, -"Id".length) as Kind;
}

function toAuthorization({ removeExpiration, ...message }: Authorization): Change {
  return {
    ...message,
    kind: "authorization",
    state: states[message.state],
    creationDate: toInstant(message.creationDate),
    changeDate: toInstant(message.changeDate),
    expirationDate: removeExpiration ? "infinity" : toInstant(message.expirationDate),
  };
}

const states: Record<number, "active" | "inactive"> = { [State.ACTIVE]: "active", [State.INACTIVE]: "inactive" };
