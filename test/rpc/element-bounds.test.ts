import {
  create,
  type DescField,
  type DescMessage,
  type DescMethod,
  fromBinary,
  fromJson,
  type Message,
  toBinary,
} from "@bufbuild/protobuf";
import { type Path, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { createValidator } from "@bufbuild/protovalidate";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import { tooManyInBinary } from "../../src/rpc/body/binary-elements.ts";
import { boundsOf, mostElements, mostTextBytes } from "../../src/rpc/body/element-bounds.ts";
import { mostBytesOfValue, mostItems } from "../../src/rpc/body/field-rules.ts";
import { tooManyInJson } from "../../src/rpc/body/json-elements.ts";
import { everyService } from "../support/every-service.ts";

const methods: DescMethod[] = everyService.flatMap((service) => [...service.methods]);
const list = AuthorizationService.method.listAuthorizations.input;
const validator = createValidator();

const inJson = (input: DescMessage, text: string, most = mostElements) =>
  tooManyInJson(boundsOf(input), Buffer.from(text), most);
const inBinary = (input: DescMessage, bytes: Uint8Array, most = mostElements) =>
  tooManyInBinary(boundsOf(input), bytes, most);
const ids = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);
const pathText = (path: Path | undefined) =>
  path
    ?.map((step) => (step.kind === "list_sub" ? `[${step.index}]` : "jsonName" in step ? step.jsonName : ""))
    .join("/");

/** All fields of a message and of those in it. */
function fieldsIn(message: DescMessage, seen = new Set<DescMessage>()): DescField[] {
  if (seen.has(message)) return [];
  seen.add(message);
  return message.fields.flatMap((field) => [field, ...(field.message ? fieldsIn(field.message, seen) : [])]);
}

/** Requests in which one list has an item too many, and nothing else is wrong. */
const overByOne: [input: DescMessage, request: object, path: string][] = [
  [list, { filters: Array.from({ length: 51 }, () => ({ userId: { id: "a" } })) }, "filters"],
  [list, { filters: [{ userId: { id: "a" } }, { inUserIds: { ids: ids(1_001) } }] }, "filters/[1]/inUserIds/ids"],
  [
    list,
    { filters: [{ anyOf: { filters: [{ not: { roleKeys: { keys: ids(1_001) } } }] } }] },
    "filters/[0]/anyOf/filters/[0]/not/roleKeys/keys",
  ],
  [
    AuthorizationService.method.batchCreateAuthorizations.input,
    { items: [{ userId: "a", projectId: "b", organizationId: "c", roleKeys: ids(1_001) }] },
    "items/[0]/roleKeys",
  ],
  [
    DirectoryService.method.applyChanges.input,
    { changes: [{ projectGrant: { id: "a", projectId: "b", organizationId: "c", roleKeys: ids(1_001) } }] },
    "changes/[0]/projectGrant/roleKeys",
  ],
];

describe("A list with an item too many", () => {
  test.each(overByOne)("is found in %s, where its rule finds it", (input, request, path) => {
    const message = fromJson(input, request as any);
    const jsonText = JSON.stringify(request);
    for (const found of [inJson(input, jsonText), inBinary(input, toBinary(input, message))]) {
      expect([found?.what, pathText(found?.path)]).toEqual(["items", path]);
      const [violation] = validator.validate(input, message).violations ?? [];
      // Of a message that nests itself, the validator looks into some fields only.
      if (violation !== undefined) expect(pathText(violation.field)).toBe(path);
    }
  });

  test("is found however JSON writes it", () => {
    const filters = Array.from({ length: 51 }, () => "{}").join(" ,\n");
    expect(inJson(list, `\t{ "filters" : [ ${filters} ] } `)?.what).toBe("items");
    expect(inJson(list, `{"\\u0066ilters":[${filters}]}`)?.what).toBe("items");
    expect(inJson(list, `{"pagination":{"pageToken":"\\"]}"},"filters":[${filters}]}`)?.what).toBe("items");
    expect(
      inJson(
        DirectoryService.method.applyChanges.input,
        `{"changes":[{"project_grant":{"role_keys":[${ids(1_001).map((id) => `"${id}"`)}]}}]}`,
      )?.what,
    ).toBe("items");
  });

  test("is found before anything behind it is looked at", () => {
    const filters = Array.from({ length: 51 }, () => "{}").join(",");
    expect(inJson(list, `{"filters":[${filters},`)?.what).toBe("items");
  });
});

test.each(methods.map((method) => [method.name, method.input] as const))("Every list of %s is bounded", (_, input) => {
  const unbounded = fieldsIn(input).filter((field) => field.fieldKind === "list" && !Number.isFinite(mostItems(field)));
  expect(unbounded.map(String)).toEqual([]);
});

describe("A request within its bounds is let through", () => {
  test("at the bound of every list", () => {
    const full = { filters: Array.from({ length: 50 }, () => ({ inUserIds: { ids: ids(1_000) } })) };
    expect(inJson(list, JSON.stringify(full, undefined, 2))).toBeUndefined();
    expect(inBinary(list, toBinary(list, fromJson(list, full)))).toBeUndefined();
  });

  test.each(methods.map((method) => [method.name, method.input] as const))("%s without anything", (_, input) => {
    expect(inJson(input, "{}")).toBeUndefined();
    expect(inBinary(input, toBinary(input, create(input)))).toBeUndefined();
  });

  test("when what looks like structure is in a text", () => {
    const text = JSON.stringify({ filters: [{ userId: { id: '[,,,,{"filters":[,,'.repeat(9) } }] });
    expect(inJson(list, text)).toBeUndefined();
  });
});

describe("Fields and list items are counted in all", () => {
  test.each([
    ["unknown names", `{${'"a":0,'.repeat(mostElements + 1)}"a":0}`],
    ["arrays in arrays", "[".repeat(mostElements + 1)],
    ["objects in objects", '{"a":'.repeat(mostElements + 1)],
    ["numbers where none are expected", `{"pagination":[${"0,".repeat(mostElements + 1)}0]}`],
    ["one field again and again", `{${'"pagination":null,'.repeat(mostElements + 1)}"filters":[]}`],
  ])("in JSON: %s", (_, text) => {
    expect(inJson(list, text)?.what).toBe("elements");
  });

  test.each([
    ["unknown fields", [0xf8, 0x7f, 0]],
    ["one message again and again", [0x0a, 0]],
    ["one number again and again", [0x10, 0]],
    ["groups that are ended", [0xfb, 0x7f, 0xfc, 0x7f]],
  ])("in binary: %s", (_, once) => {
    expect(inBinary(list, Buffer.alloc(once.length * (mostElements + 1), Buffer.from(once)))?.what).toBe("elements");
  });

  test("in binary: within one group", () => {
    const inside = Buffer.alloc(3 * (mostElements + 1), Buffer.from([0xf8, 0x7f, 0]));
    expect(inBinary(list, Buffer.concat([Buffer.from([0xfb, 0x7f]), inside]))?.what).toBe("elements");
  });

  test("100,000 are not too many", () => {
    expect(inBinary(list, Buffer.alloc(2 * mostElements, Buffer.from([0x10, 0])))).toBeUndefined();
  });
});

test("A number that JSON writes as a long text is found", () => {
  const found = inJson(list, `{"pagination":{"limit":1,"offset":"${"9".repeat(101)}"}}`);
  expect([found?.what, pathText(found?.path)]).toEqual(["characters", "pagination/offset"]);
  expect(
    inJson(list, `{"pagination":{"pageToken":"${"9".repeat(101)}","offset":"${"0".repeat(99)}1"}}`),
  ).toBeUndefined();
});

describe("A text or number of megabytes is found before it is read", () => {
  const long = "9".repeat(mostTextBytes + 1);

  test.each([
    ["a text", `{"pagination":{"pageToken":"${long}"}}`, "pagination/pageToken"],
    [
      "a text of escapes",
      `{"pagination":{"pageToken":"${"\\u20ac".repeat(mostTextBytes / 6 + 1)}"}}`,
      "pagination/pageToken",
    ],
    ["a text that does not end", `{"filters":[{"userId":{"id":"${long}`, "filters/[0]/userId/id"],
    ["a text of a name that is not known", `{"filters":[{},{"a":"${long}"}]}`, "filters/[1]"],
    ["a name", `{"${long}":1}`, ""],
    ["a number", `{"pagination":{"limit":${long}}}`, "pagination/limit"],
  ])("%s", (_, text, path) => {
    const found = inJson(list, text);
    expect([found?.what, found?.most, pathText(found?.path)]).toEqual(["bytes", mostTextBytes, path]);
  });

  test("but not one at the bound, nor space", () => {
    expect(inJson(list, `{"pagination":{"pageToken":"${"9".repeat(mostTextBytes)}"}}`)).toBeUndefined();
    expect(inJson(list, `{"pagination":${" ".repeat(mostTextBytes + 1)}{}}`)).toBeUndefined();
  });

  test.each(methods.map((method) => [method.name, method.input] as const))(
    "%s has no field that may be longer",
    (_, input) => {
      for (const field of fieldsIn(input)) {
        if (field.message === undefined) expect(mostBytesOfValue(field), `${field}`).toBeLessThan(mostTextBytes);
      }
    },
  );
});

describe("Nothing hides from the search that the library would decode", () => {
  const filters = Buffer.alloc(2 * 51, Buffer.from([0x1a, 0]));

  test("behind a number that says it has a length", () => {
    const bytes = new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(filters).finish();
    expect(itemsIn(list, fromBinary(list, bytes))).toBe(51);
    expect(inBinary(list, bytes)?.what).toBe("items");
  });

  /** Records of any number and any wire type, whatever the field is. */
  const number = fc.integer({ min: 1, max: 4 });
  const { bytes: anyBytes } = fc.letrec<{ bytes: Uint8Array; record: Uint8Array }>((tie) => ({
    record: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc
        .tuple(number, fc.integer({ min: 0, max: 3 }))
        .map(([no, value]) => new BinaryWriter().tag(no, WireType.Varint).uint32(value).finish()),
      fc.constantFrom(
        ...[0x0a, 0x12, 0x1a].flatMap((tag) => [Buffer.from([tag, 0]), Buffer.alloc(8, Buffer.from([tag, 0]))]),
      ),
      // A length that leads out of what it is in.
      fc
        .tuple(number, fc.integer({ min: 0, max: 12 }))
        .map(([no, length]) => new BinaryWriter().tag(no, WireType.LengthDelimited).uint32(length).finish()),
      fc
        .tuple(number, tie("bytes"))
        .map(([no, bytes]) => new BinaryWriter().tag(no, WireType.LengthDelimited).bytes(bytes).finish()),
      fc
        .tuple(number, tie("bytes"))
        .map(([no, bytes]) =>
          Buffer.concat([
            new BinaryWriter().tag(no, WireType.StartGroup).finish(),
            bytes,
            new BinaryWriter().tag(no, WireType.EndGroup).finish(),
          ]),
        ),
    ),
    bytes: fc.array(tie("record"), { maxLength: 8 }).map((parts) => Buffer.concat(parts)),
  }));

  const withLists = methods
    .map(({ input }) => input)
    .filter((input) => input.fields.some(({ fieldKind }) => fieldKind === "list"));

  test("whatever the bytes are: it counts every item of every list", () => {
    let decoded = 0;
    fc.assert(
      fc.property(fc.constantFrom(...withLists), anyBytes, (input, bytes) => {
        const items = readItems(input, bytes);
        if (items === 0) return;
        decoded += 1;
        expect(inBinary(input, bytes, items - 1)).toBeDefined();
      }),
      { numRuns: 5_000 },
    );
    expect(decoded).toBeGreaterThan(100);
  });
});

test("whatever JSON holds, the search counts every member and every item", () => {
  const count = (value: unknown): number =>
    typeof value === "object" && value !== null
      ? Object.values(value).reduce<number>((sum, each) => sum + 1 + count(each), 0)
      : 0;
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 1), (value, indent) => {
      const most = count(value) - 1;
      if (most >= 0) expect(inJson(list, JSON.stringify(value, undefined, indent), most)).toBeDefined();
    }),
    { numRuns: 1_000 },
  );
});

/** How many items a request has in its lists, at every depth; none when it cannot be decoded. */
function readItems(input: DescMessage, bytes: Uint8Array): number {
  try {
    return itemsIn(input, fromBinary(input, bytes));
  } catch {
    return 0;
  }
}

function itemsIn(schema: DescMessage, message: Message): number {
  const within = reflect(schema, message);
  return within.fields.reduce((sum, field) => {
    if (!within.isSet(field)) return sum;
    if (field.fieldKind === "message") return sum + itemsIn(field.message, within.get(field).message);
    if (field.fieldKind !== "list") return sum;
    const items = [...within.get(field)];
    const inner =
      field.listKind === "message" ? items.map((item) => itemsIn(field.message, (item as ReflectMessage).message)) : [];
    return sum + items.length + inner.reduce((all, count) => all + count, 0);
  }, 0);
}
