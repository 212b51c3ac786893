import { type DescMessage, fromJson, getOption, hasOption, type JsonObject } from "@bufbuild/protobuf";
import { type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { createValidator, violationsToProto } from "@bufbuild/protovalidate";
import {
  type FieldRules,
  FieldRulesSchema,
  field as fieldRules,
  message as messageRules,
  oneof as oneofRules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { ConnectError } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { ListAuthorizationEventsRequestSchema } from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import {
  BatchSetStateRequestSchema,
  ListAuthorizationsRequestSchema,
  UpdateAuthorizationRequestSchema,
} from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { GetOverviewRequestSchema } from "../../gen/service/authorization/v2/overview_service_pb.ts";
import {
  ApplyChangesRequestSchema,
  ListAdministratorsRequestSchema,
} from "../../gen/service/directory/v1/directory_service_pb.ts";
import { CreateTokenRequestSchema } from "../../gen/service/identity/v1/token_service_pb.ts";
import { requireValid } from "../../src/rpc/interceptors/validation.ts";
import { texts } from "../../src/rpc/interceptors/violation-texts.ts";
import { services } from "../support/services.ts";

const filters = (...list: JsonObject[]) => ({ filters: list });
const change = (kind: string, value: JsonObject) => ({ changes: [{ [kind]: value }] });
const user = { id: "ann", organizationId: "acme", preferredLoginName: "ann" };
const astral = (length: number) => "😀".repeat(length);

function refusal(schema: DescMessage, json: JsonObject): ConnectError {
  try {
    requireValid(schema, fromJson(schema, json));
  } catch (error) {
    if (error instanceof ConnectError) return error;
    throw error;
  }
  throw new Error("the request is valid");
}

describe("The message of a refused request says what to send instead, and what was sent", () => {
  test.each<[message: string, schema: DescMessage, request: JsonObject]>([
    ["id: must not be empty", UpdateAuthorizationRequestSchema, {}],
    ["id: must be at most 200 characters, got 201", UpdateAuthorizationRequestSchema, { id: astral(201) }],
    [
      "changes[0].user.id: must be at most 600 bytes in UTF-8, got 800",
      ApplyChangesRequestSchema,
      change("user", { ...user, id: astral(200) }),
    ],
    ["roleKeys[1]: must not be empty", UpdateAuthorizationRequestSchema, { id: "a", roleKeys: ["x", ""] }],
    [
      'roleKeys: must not have duplicates, got "seller" twice',
      UpdateAuthorizationRequestSchema,
      { id: "a", roleKeys: ["buyer", "seller", "seller"] },
    ],
    [
      "roleKeys: must not have duplicates",
      UpdateAuthorizationRequestSchema,
      { id: "a", roleKeys: ["x".repeat(60), "x".repeat(60)] },
    ],
    ["state: must be STATE_ACTIVE or STATE_INACTIVE", BatchSetStateRequestSchema, { items: [{ id: "a" }] }],
    [
      "sortingColumn: must be a value of AuthorizationFieldName, got 99",
      ListAuthorizationsRequestSchema,
      { sortingColumn: 99 },
    ],
    [
      "filters[0].filter: set exactly one of authorizationIds, organizationId, state, inUserIds, userOrganizationId, " +
        "userPreferredLoginName, userDisplayName, projectId, 13 more",
      ListAuthorizationsRequestSchema,
      filters({}),
    ],
    ["filters[0].allOf.filters: must not be empty", ListAuthorizationsRequestSchema, filters({ allOf: {} })],
    ["filters[0].created: from or to must be set", ListAuthorizationsRequestSchema, filters({ created: {} })],
    [
      "pagination: offset must be 0 when pageToken is set",
      ListAuthorizationsRequestSchema,
      { pagination: { offset: 1, pageToken: "x" } },
    ],
    [
      "pagination.pageToken: must be at most 8192 characters, got 8193",
      ListAuthorizationsRequestSchema,
      { pagination: { pageToken: "x".repeat(8_193) } },
    ],
    [
      "filters[0].types.types[0]: must be one of user.grant.added, user.grant.changed, user.grant.deactivated, " +
        "user.grant.reactivated, user.grant.removed, user.grant.expired, " +
        'user.grant.cascade.changed, user.grant.cascade.removed, got "added"',
      ListAuthorizationEventsRequestSchema,
      filters({ types: { types: ["added"] } }),
    ],
    ["top: must be at most 100, got 500", GetOverviewRequestSchema, { top: 500 }],
    ["lifetime: must be more than 0s", CreateTokenRequestSchema, { lifetime: "0s" }],
    ["instance: must be true", ListAdministratorsRequestSchema, { instance: false }],
    [
      "changes[0].remove.thing: set exactly one of organizationId, userId, projectId, projectRole, projectGrantId, " +
        "administrator, authorizationId",
      ApplyChangesRequestSchema,
      change("remove", {}),
    ],
    [
      "changes[0].user.avatarUrl: must begin with http:// or https:// and a host; " +
        "changes[0].user.avatarUrl: must be a valid URL",
      ApplyChangesRequestSchema,
      change("user", { ...user, avatarUrl: "my picture" }),
    ],
  ])("%s", (message, schema, request) => {
    expect(refusal(schema, request).rawMessage).toBe(message);
  });

  test("and stays short when it has much to say", () => {
    const seven = Array.from({ length: 7 }, (_, index) => `unknown-${index}`);
    const many = Array.from({ length: 14 }, () => ({ types: { types: seven } }));
    const { rawMessage } = refusal(ListAuthorizationEventsRequestSchema, filters(...many));
    expect(rawMessage.length).toBeLessThanOrEqual(20_000);
    expect(rawMessage).toMatch(/filters\[8\].types.types\[6\]: .*; and more$/);
  });
});

test("The detail of a refused request stays as protovalidate makes it", () => {
  const request = { id: "", roleKeys: ["x", "x", astral(201)] };
  const message = fromJson(UpdateAuthorizationRequestSchema, request);
  const { violations = [] } = createValidator().validate(UpdateAuthorizationRequestSchema, message);
  expect(violations).toHaveLength(3);
  const [value, desc] = violationsToProto(violations);
  expect(refusal(UpdateAuthorizationRequestSchema, request).details).toEqual([{ desc, value }]);
});

test("Every rule of a request has a text, and no other", () => {
  const rules = new Set<string>();
  for (const { methods } of services) for (const { input } of methods) collectRules(input, rules, new Set());
  expect(Object.keys(texts).sort()).toEqual([...rules].sort());
});

function collectRules(message: DescMessage, rules: Set<string>, seen: Set<DescMessage>): void {
  if (seen.has(message)) return;
  seen.add(message);
  if (hasOption(message, messageRules) && getOption(message, messageRules).oneof.length > 0) rules.add("message.oneof");
  for (const oneof of message.oneofs) {
    if (hasOption(oneof, oneofRules) && getOption(oneof, oneofRules).required) rules.add("required");
  }
  for (const field of message.fields) {
    if (hasOption(field, fieldRules)) for (const rule of rulesIn(getOption(field, fieldRules))) rules.add(rule);
    if (field.message !== undefined) collectRules(field.message, rules, seen);
  }
}

function rulesIn(rules: FieldRules): string[] {
  if (rules.required || rules.cel.length > 0) throw new Error("no field has such rules yet");
  const reflected = reflect(FieldRulesSchema, rules);
  const kind = reflected.fields.find((field) => field.oneof?.name === "type" && reflected.isSet(field));
  if (kind === undefined) return [];
  const set = reflected.get(kind) as ReflectMessage;
  const own = set.fields.filter((field) => set.isSet(field) && field.name !== "items");
  const ofItems = rules.type.case === "repeated" && rules.type.value.items ? rulesIn(rules.type.value.items) : [];
  return [...own.map(({ name }) => `${kind.name}.${name}`), ...ofItems];
}
