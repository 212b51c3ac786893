import type { DescEnum, DescFile, DescMessage } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { file_google_rpc_error_details } from "../../gen/google/rpc/error_details_pb.ts";
import { eventTypes } from "../../src/authorization/event.ts";
import { permissionsOfRole } from "../../src/authorization/permissions.ts";
import { read } from "../support/repository.ts";
import { files as apiFiles } from "../support/services.ts";

const files: readonly DescFile[] = [file_google_rpc_error_details, ...apiFiles];

const page = read("docs/reference/glossary.md");
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
