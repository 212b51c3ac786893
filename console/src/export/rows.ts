import {
  type Authorization,
  AuthorizationService,
  type AuthorizationsSearchFilter,
  State,
} from "@authorization-service/client";
import { toJson } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { callUnaryMethod } from "@connectrpc/connect-query";
import { isOwned } from "../assignments/columns.tsx";
import { type AssignmentsSearch, sorts } from "../assignments/search.ts";
import { pageWords } from "../words/pages.ts";
import type { Exported } from "./export-list.ts";
import { rowsOfAll } from "./pages.ts";

/** The columns of the file, from left to right. Several roles share one cell, in the same order in both columns. */
const columns: Record<string, (authorization: Authorization) => string | undefined> = {
  Id: ({ id }) => id,
  "Person id": ({ user }) => user?.id,
  "Display name": ({ user }) => user?.displayName,
  "Login name": ({ user }) => user?.preferredLoginName,
  "Person's organization id": ({ user }) => user?.organizationId,
  "Organization id": ({ organization }) => organization?.id,
  Organization: ({ organization }) => organization?.name,
  "Project id": ({ project }) => project?.id,
  Project: ({ project }) => project?.name,
  "Project owner's organization id": ({ project }) => project?.organizationId,
  "Owned or granted": (authorization) => (isOwned(authorization) ? "owned" : "granted"),
  "Role keys": ({ roles }) => roles.map(({ key }) => key).join("; "),
  "Role names": ({ roles }) => roles.map(({ key, displayName }) => displayName || key).join("; "),
  State: ({ state }) => (state === State.ACTIVE ? "active" : "inactive"),
  "Created (UTC)": ({ creationDate }) => written(creationDate),
  "Changed (UTC)": ({ changeDate }) => written(changeDate),
  "Ends (UTC)": ({ expirationDate }) => written(expirationDate),
};

/** The file with all pages of the table's list. */
export function assignmentsFile(search: AssignmentsSearch, filters: AuthorizationsSearchFilter[]): Exported {
  const { sort = "created", asc = false } = search;
  const { listAuthorizations } = AuthorizationService.method;
  const list = { filters, sortingColumn: sorts[sort] };
  return {
    file: "assignments",
    of: pageWords.assignments,
    header: Object.keys(columns),
    rows: rowsOfAll(
      (transport, asked, signal) =>
        callUnaryMethod(transport, listAuthorizations, { ...list, pagination: { ...asked, asc } }, { signal }),
      ({ authorizations }) => authorizations.map(rowOf),
    ),
  };
}

function rowOf(authorization: Authorization): string[] {
  return Object.values(columns).map((cell) => cell(authorization) ?? "");
}

/** ISO 8601 in UTC, with all stored digits. */
export function written(moment: Timestamp | undefined): string | undefined {
  return moment && toJson(TimestampSchema, moment);
}
