import { create, fromJsonString, type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { State } from "../../gen/service/authorization/v2/authorization_pb.ts";
import { type AuthorizationSchema, ChangeSchema } from "../../gen/service/directory/v1/change_pb.ts";
import { type Change, requireAdministratorRoles, type Upsert } from "../directory/change.ts";
import { requireValid } from "../rpc/interceptors/validation.ts";
import { fromState } from "../rpc/messages/authorizations.ts";
import { fromAdministrator, toChange } from "../rpc/messages/changes.ts";
import { fromInstant } from "../rpc/messages/timestamps.ts";

/** Reads one line of an import file. Throws an error whose message says what is wrong with it. */
export function readChange(json: string): Change {
  if (isHistory.test(json)) throw new Error(noHistory);
  const message = fromJsonString(ChangeSchema, json);
  try {
    requireValid(ChangeSchema, message);
    const change = toChange(message);
    requireAdministratorRoles(change);
    return change;
  } catch (error) {
    // The code of an RPC means nothing to someone who imports a file.
    throw error instanceof ConnectError ? new Error(error.rawMessage) : error;
  }
}

/** The lines of `export --events` and of archives, which no change begins with. */
const isHistory = /^\s*\{\s*"(event|directoryEvent)"\s*:/;
const noHistory =
  "the history can't be imported: export without --events, or move the whole database with pg_dump and pg_restore";

/** Writes a thing as a line of an import file, with every field. */
export function writeChange(upsert: Upsert): string {
  return toJsonString(ChangeSchema, create(ChangeSchema, { change: fromUpsert(upsert) }), { alwaysEmitImplicit: true });
}

type UpsertMessage = NonNullable<MessageInitShape<typeof ChangeSchema>["change"]>;

function fromUpsert(upsert: Upsert): UpsertMessage {
  switch (upsert.kind) {
    case "organization":
    case "user":
    case "project":
    case "projectRole":
      return { case: upsert.kind, value: upsert } as UpsertMessage;
    case "projectGrant":
      return { case: upsert.kind, value: { ...upsert, roleKeys: [...upsert.roleKeys] } };
    case "administrator":
      return { case: upsert.kind, value: fromAdministrator(upsert) };
    case "authorization":
      return { case: upsert.kind, value: fromAuthorization(upsert) };
  }
}

function fromAuthorization(upsert: Upsert & { kind: "authorization" }): MessageInitShape<typeof AuthorizationSchema> {
  const { id, userId, projectId, organizationId, roleKeys, state, creationDate, changeDate, expirationDate } = upsert;
  return {
    ...{ id, userId, projectId, organizationId },
    roleKeys: [...roleKeys],
    state: state === undefined ? State.UNSPECIFIED : fromState(state),
    ...(creationDate === undefined ? {} : { creationDate: fromInstant(creationDate) }),
    ...(changeDate === undefined ? {} : { changeDate: fromInstant(changeDate) }),
    ...(typeof expirationDate === "bigint" && { expirationDate: fromInstant(expirationDate) }),
    removeExpiration: expirationDate === "infinity",
    expired: upsert.expired,
  };
}
