import { create, fromJsonString, toJson, toJsonString } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { ChangeSchema } from "../../gen/service/directory/v1/change_pb.ts";
import { type Change, requireAdministratorRoles, type Upsert } from "../directory/change.ts";
import type { Image } from "../directory/history.ts";
import { requireValid } from "../rpc/interceptors/validation.ts";
import { fromUpsert, toChange } from "../rpc/messages/changes.ts";
import { byCodePoint } from "./line-rules.ts";

/** Reads one line of an import file. Throws an error whose message says what is wrong with it. */
export function readChange(json: string): Change {
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

/** Writes a thing as a line of an import file, with every field. */
export function writeChange(upsert: Upsert): string {
  return toJsonString(ChangeSchema, create(ChangeSchema, { change: fromUpsert(upsert) }), { alwaysEmitImplicit: true });
}

/** A thing as events have it: without empty fields, and with its keys or roles sorted. */
export function imageOf(upsert: Upsert): Image {
  const sorted = { ...upsert };
  if ("roles" in sorted) sorted.roles = sorted.roles.toSorted(byCodePoint);
  if ("roleKeys" in sorted) sorted.roleKeys = sorted.roleKeys.toSorted(byCodePoint);
  const { [upsert.kind]: image } = toJson(ChangeSchema, create(ChangeSchema, { change: fromUpsert(sorted) })) as {
    [kind: string]: Image;
  };
  return image ?? {};
}
