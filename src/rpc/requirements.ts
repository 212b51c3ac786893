import type { DescMethod } from "@bufbuild/protobuf";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import { type Caller, requireAnyDirectoryPermission } from "../authorization/permissions.ts";

/** What holds for an RPC whatever a request says. It is checked before the request is read. */
export type Requirement = {
  /** The most bytes of a request, also of an unpacked one. */
  readonly mostBytes: number;
  /** Whether its statements prove a remembered caller. */
  readonly provesCaller?: boolean;
  /** Throws a refusal if the caller lacks what every request needs. */
  readonly requires?: (caller: Caller) => void;
};

export function requirementOf(method: DescMethod): Requirement {
  // All changes have a reason, and nothing else has. Those of assignments begin with a read.
  const provesCaller = method.input.field.reason === undefined || method.parent === AuthorizationService;
  const found = { mostBytes: mostBytesOf(method), provesCaller };
  // Reading a thousand changes takes time.
  if (method !== DirectoryService.method.applyChanges) return found;
  return { ...found, requires: requireAnyDirectoryPermission };
}

/** By the fields that a request can have (docs/reference/limits.md). */
function mostBytesOf({ input: { field, fields } }: DescMethod): number {
  if (field.items !== undefined || field.changes !== undefined) return 1_024 * 1_024;
  if (field.pagination !== undefined || field.filters !== undefined) return 512 * 1_024;
  return fields.length === 0 ? 4 * 1_024 : 256 * 1_024;
}
