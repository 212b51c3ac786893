import { type Authorization, State } from "@authorization-service/client";
import { toJson } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { isOwned } from "../assignments/columns.tsx";

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
};

export const header = Object.keys(columns);

export function rowOf(authorization: Authorization): string[] {
  return Object.values(columns).map((cell) => cell(authorization) ?? "");
}

/** ISO 8601 in UTC, with all stored digits. */
export function written(moment: Timestamp | undefined): string | undefined {
  return moment && toJson(TimestampSchema, moment);
}
