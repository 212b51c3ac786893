import { fromJsonString } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { State } from "../../gen/service/authorization/v2/authorization_pb.ts";
import {
  type Administrator,
  type Authorization,
  type Change as ChangeMessage,
  ChangeSchema,
} from "../../gen/service/directory/v1/change_pb.ts";
import type { Instant } from "../authorization/authorization.ts";
import type { Scope } from "../authorization/permissions.ts";
import { Refusal } from "../authorization/refusal.ts";
import { type Change, requireAdministratorRoles } from "../directory/change.ts";
import { toNanoseconds } from "./messages.ts";
import { requireValid } from "./validation.ts";

/** Reads one line of an import file. Throws an error whose message says what is wrong with it. */
export function readChange(json: string): Change {
  const message = fromJsonString(ChangeSchema, json);
  requireValid(ChangeSchema, message);
  return toChange(message);
}

/** The message must have passed validation. */
function toChange({ change }: ChangeMessage): Change {
  switch (change.case) {
    case "organization":
    case "user":
    case "project":
    case "projectRole":
    case "projectGrant":
      return { kind: change.case, ...change.value } as Change;
    case "administrator":
      return toAdministrator(change.value);
    case "authorization":
      return toAuthorization(change.value);
    case "remove":
      throw new Refusal("NOT_SUPPORTED", "this release does not remove things yet");
    case undefined:
      throw new Error("a change without a kind passed validation");
  }
}

function toAdministrator(message: Administrator): Change {
  const scope = toScope(message);
  return {
    kind: "administrator",
    userId: message.userId,
    scope,
    roles: requireAdministratorRoles(scope, message.roles),
  };
}

function toScope({ scope }: Administrator): Scope {
  switch (scope.case) {
    case "instance":
      return { kind: "instance" };
    case "organizationId":
      return { kind: "organization", organizationId: scope.value };
    case "projectId":
      return { kind: "project", projectId: scope.value };
    case "projectGrantId":
      return { kind: "projectGrant", projectGrantId: scope.value };
    case undefined:
      throw new Error("an administrator without a scope passed validation");
  }
}

function toAuthorization(message: Authorization): Change {
  return {
    kind: "authorization",
    id: message.id,
    userId: message.userId,
    projectId: message.projectId,
    organizationId: message.organizationId,
    roleKeys: message.roleKeys,
    state: states[message.state],
    creationDate: toInstant(message.creationDate, "creationDate"),
    changeDate: toInstant(message.changeDate, "changeDate"),
  };
}

const states: Record<number, "active" | "inactive"> = { [State.ACTIVE]: "active", [State.INACTIVE]: "inactive" };

/** Postgres keeps microseconds: a finer date would not come out as it went in. */
function toInstant(timestamp: Timestamp | undefined, field: string): Instant | undefined {
  if (timestamp === undefined) return undefined;
  const nanoseconds = toNanoseconds(timestamp);
  if (nanoseconds % 1000n !== 0n) throw new Error(`authorization.${field}: must not be finer than a microsecond`);
  return nanoseconds / 1000n;
}
