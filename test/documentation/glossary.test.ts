import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { DescEnum, DescFile, DescMessage } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { file_google_rpc_error_details } from "../../gen/google/rpc/error_details_pb.ts";
import { file_service_authorization_v2_authorization_history_service } from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import { file_service_authorization_v2_authorization } from "../../gen/service/authorization/v2/authorization_pb.ts";
import { file_service_authorization_v2_authorization_service } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { file_service_authorization_v2_caller_service } from "../../gen/service/authorization/v2/caller_service_pb.ts";
import { file_service_authorization_v2_overview_service } from "../../gen/service/authorization/v2/overview_service_pb.ts";
import { file_service_directory_v1_change } from "../../gen/service/directory/v1/change_pb.ts";
import { file_service_directory_v1_directory_history_service } from "../../gen/service/directory/v1/directory_history_service_pb.ts";
import { file_service_directory_v1_directory_service } from "../../gen/service/directory/v1/directory_service_pb.ts";
import { file_service_directory_v1_look_up } from "../../gen/service/directory/v1/look_up_pb.ts";
import { file_service_filter_v2_filter } from "../../gen/service/filter/v2/filter_pb.ts";
import { eventTypes } from "../../src/authorization/event.ts";
import { permissionsOfRole } from "../../src/authorization/permissions.ts";

const files: DescFile[] = [
  file_google_rpc_error_details,
  file_service_authorization_v2_authorization,
  file_service_authorization_v2_authorization_history_service,
  file_service_authorization_v2_authorization_service,
  file_service_authorization_v2_caller_service,
  file_service_authorization_v2_overview_service,
  file_service_directory_v1_change,
  file_service_directory_v1_directory_history_service,
  file_service_directory_v1_directory_service,
  file_service_directory_v1_look_up,
  file_service_filter_v2_filter,
];

const page = readFileSync(join(import.meta.dirname, "../../docs/reference/glossary.md"), "utf8");
const rows = [...page.matchAll(/^\| (\*\*.*) \|(.*)\|(.*)\|$/gm)].map(([, term = "", meaning = "", api = ""]) => ({
  term,
  meaning: meaning.trim(),
  names: [...api.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
}));

const messages: DescMessage[] = files.flatMap((file) => file.messages);
const fieldsOf = (message: DescMessage) => message.fields.map(({ jsonName }) => jsonName);
const valuesOf = ({ values }: DescEnum) => values.map(({ name }) => name);

/** Names that the proto files, the permissions and the events have, and the header of tokens. */
const known = new Set<string>([
  ...messages.flatMap((message) => [
    message.name,
    ...fieldsOf(message),
    ...fieldsOf(message).map((field) => `${message.name}.${field}`),
  ]),
  ...files.flatMap((file) => file.enums).flatMap((one) => [one.name, ...valuesOf(one)]),
  ...files
    .flatMap((file) => file.services)
    .flatMap(({ name, methods }) => [name, ...methods.map((method) => method.name)]),
  ...Object.keys(permissionsOfRole),
  ...Object.values(permissionsOfRole).flat(),
  ...eventTypes,
  "buf.validate.Violations",
]);

test("Each term has a meaning of one sentence, and is listed once", () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows.map(({ term }) => term)).size).toBe(rows.length);
  for (const { term, meaning } of rows) expect(meaning, term).toMatch(/^[A-Z][^.]*(\.\w[^.]*)*\.$/);
});

describe("The API has the names of", () => {
  const named = rows.filter(({ names }) => names.length > 0).map(({ term, names }) => [term, names] as const);
  test.each(named)("%s", (_, names) => {
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });
});

test("Every service and every directory thing is in the glossary", () => {
  const listed = new Set(rows.flatMap(({ names }) => names.map((name) => name.split(".")[0] ?? "")));
  const things = [
    ...files.flatMap((file) => file.services.map(({ name }) => name)).filter((name) => name !== "AuthorizationService"),
    ...["Organization", "User", "Project", "ProjectRole", "ProjectGrant", "Administrator", "Authorization", "Removal"],
  ];
  expect(things.filter((name) => !listed.has(name))).toEqual([]);
});
