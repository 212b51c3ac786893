import { fromJsonString, toJsonString } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { ChangeSchema } from "../../gen/service/directory/v1/change_pb.ts";
import { type Change, requireAdministratorRoles } from "../directory/change.ts";
import type { Thing } from "../directory/outcome.ts";
import { requireValid } from "../rpc/interceptors/validation.ts";
import { toChange } from "../rpc/messages/changes.ts";
import { fromThing } from "../rpc/messages/outcomes.ts";

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
export function writeChange(thing: Thing): string {
  return toJsonString(ChangeSchema, fromThing(thing), { alwaysEmitImplicit: true });
}
