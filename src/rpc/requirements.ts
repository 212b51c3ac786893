import type { DescMethod } from "@bufbuild/protobuf";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import { requireAnyDirectoryPermission } from "../authorization/permissions.ts";

/** What holds for an RPC whatever a request says. It is checked before the request is read. */
export function requirementOf(method: DescMethod) {
  return {
    /** The most bytes of a request, also of an unpacked one. */
    mostBytes: mostBytesOf(method),
    /**
     * Whether its statements prove a remembered caller. All changes have a reason, and nothing else has. Those of
     * assignments begin with a read.
     */
    provesCaller: method.input.field.reason === undefined || method.parent === AuthorizationService,
    /** Throws a refusal if the caller lacks what every request needs. Reading a thousand changes takes time. */
    requires: method === DirectoryService.method.applyChanges ? requireAnyDirectoryPermission : undefined,
  };
}

/** By the fields that a request can have (docs/reference/limits.md). */
function mostBytesOf({ input: { field, fields } }: DescMethod): number {
  if (field.items !== undefined || field.changes !== undefined) return 1_024 * 1_024;
  if (field.pagination !== undefined || field.filters !== undefined) return 512 * 1_024;
  return fields.length === 0 ? 4 * 1_024 : 256 * 1_024;
}
