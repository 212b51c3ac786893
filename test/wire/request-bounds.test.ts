import { gzipSync } from "node:zlib";
import { type DescMessage, type DescMethod, fromJson, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { describe, expect, test } from "vitest";
import { requirementOf } from "../../src/rpc/requirements.ts";
import { callHeaders } from "../support/call-headers.ts";
import { expectError } from "../support/connect-errors.ts";
import { type Answer, serverInTest, serveSmallWorld } from "../support/server.ts";
import { services } from "../support/services.ts";

const { server, root: token } = await serveSmallWorld();

/** docs/reference/limits.md. */
const limits = { aboutCaller: 4_096, oneChange: 262_144, list: 524_288, manyChanges: 1_048_576 };

/** Different texts of the same length. */
const texts = (count: number, length: number) =>
  Array.from({ length: count }, (_, index) => String(index).padEnd(length, "x"));
const text = (length: number) => "x".repeat(length);
const times = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));

const reason = text(500);
const page = { offset: "18446744073709551615", limit: 1_000, asc: true };
/** As many ids as all filters of a request may have together, and as long as they can be within the bytes. */
const filters = times(50, (index) => ({
  inUserIds: { ids: texts(200, 45).map((id) => `${id}${index}`.slice(0, 47)) },
}));
const batch = (item: (index: number) => object) => ({ items: times(1_000, item), reason });

/** For each limit, the largest requests that the rules of an RPC allow, or that its bytes do if the rules allow more. */
const largest: Record<string, [most: number, request: object]> = {
  "AuthorizationService/ListAuthorizations": [limits.list, { pagination: page, filters }],
  "AuthorizationService/CreateAuthorization": [
    limits.oneChange,
    { ...{ userId: text(200), projectId: text(200), organizationId: text(200) }, roleKeys: texts(1_000, 200), reason },
  ],
  "AuthorizationService/UpdateAuthorization": [
    limits.oneChange,
    { ...{ id: text(200), reason }, roleKeys: texts(1_000, 200) },
  ],
  "AuthorizationService/BatchCreateAuthorizations": [
    limits.manyChanges,
    batch((n) => {
      const user = String(n).padEnd(200, "x");
      return { userId: user, projectId: text(200), organizationId: text(200), roleKeys: texts(1, 200) };
    }),
  ],
  "AuthorizationService/BatchUpdateAuthorizations": [
    limits.manyChanges,
    batch((n) => ({ id: String(n).padEnd(200, "x"), roleKeys: texts(3, 200) })),
  ],
  "CallerService/GetCaller": [limits.aboutCaller, {}],
  "CheckService/CheckRoles": [
    limits.manyChanges,
    // As many items and keys as there may be, with ids as long as fit into the bytes.
    {
      items: times(1_000, (n) => ({
        ...{ userId: String(n).padEnd(100, "x"), projectId: text(100), organizationId: text(100) },
        roleKeys: texts(5, 100),
      })),
    },
  ],
  "OverviewService/GetOverview": [limits.list, { filters }],
  // A thousand users with everything in full would be three times as large.
  "DirectoryService/ApplyChanges": [
    limits.manyChanges,
    {
      changes: times(1_000, (n) => ({
        user: {
          id: `${n}`.padEnd(200, "x"),
          organizationId: text(200),
          preferredLoginName: text(200),
          displayName: text(200),
          avatarUrl: `https://${text(50)}.example/`,
        },
      })),
      dryRun: true,
      reason,
    },
  ],
  "DirectoryService/ListUsers": [limits.list, largestLookUp()],
};

/** All of them can be looked up by ids. */
function largestLookUp() {
  return {
    pagination: page,
    filters: times(10, (index) => ({ ids: { ids: texts(1_000, 45).map((id) => `${id}${index}`) } })),
  };
}

const methods = new Map(
  services.flatMap(({ typeName, methods }) =>
    methods.map((method): [string, DescMethod] => [`${typeName.split(".").at(-1)}/${method.name}`, method]),
  ),
);

test("Every RPC has one of the limits, by the fields that its requests can have", () => {
  const kindOf = ({ input: { field } }: DescMethod) => {
    if (field.items || field.changes) return limits.manyChanges;
    return field.pagination || field.filters ? limits.list : limits.oneChange;
  };
  for (const method of methods.values()) {
    const most = method.name === "GetCaller" ? limits.aboutCaller : kindOf(method);
    expect([method.name, requirementOf(method).mostBytes]).toEqual([method.name, most]);
  }
});

/** The bytes of a request, made as long as wanted by what counts for nothing. */
function json(request: object, length: number): Buffer {
  const bytes = Buffer.from(JSON.stringify(request));
  expect(bytes.byteLength).toBeLessThanOrEqual(length);
  return Buffer.concat([bytes, Buffer.alloc(length - bytes.byteLength, " ")]);
}

function proto(schema: DescMessage, request: object, length: number): Buffer {
  const bytes = toBinary(schema, fromJson(schema, request as JsonValue));
  const head = (size: number) => new BinaryWriter().tag(2_047, WireType.LengthDelimited).uint32(size).finish();
  // A field that isn't known.
  const rest = length - bytes.byteLength;
  const size = rest - head(rest).byteLength;
  const filled = Buffer.concat([bytes, head(size), Buffer.alloc(size)]);
  // Its own length takes fewer bytes at times.
  return filled.byteLength === length ? filled : Buffer.concat([bytes, head(size + 1), Buffer.alloc(size + 1)]);
}

describe.each(Object.entries(largest))("The largest request of %s", (name, [most, request]) => {
  const { parent, input, name: rpc } = methods.get(name) as DescMethod;
  const path = `${parent.typeName}/${rpc}`;
  /** The body is undefined unless the answer is an error: other answers may be in the binary format. */
  async function post(body: Buffer, headers: Record<string, string>): Promise<Answer> {
    const url = `${server.url}/${path}`;
    const response = await fetch(url, { method: "POST", headers: { ...callHeaders(token), ...headers }, body });
    const bytes = await response.bytes();
    const json = response.ok ? undefined : JSON.parse(Buffer.from(bytes).toString());
    return { status: response.status, headers: response.headers, body: json };
  }

  const forms: [name: string, headers: Record<string, string>, bytes: (length: number) => Buffer][] = [
    ["JSON", {}, (length) => json(request, length)],
    ["the binary format", { "content-type": "application/proto" }, (length) => proto(input, request, length)],
  ];

  test.each(forms)("is read in %s, also packed, and one byte over the limit is too much", async (_, headers, bytes) => {
    for (const [pack, more] of [
      [(body: Buffer) => body, {}],
      [gzipSync, { "content-encoding": "gzip" }],
    ] as const) {
      const within = await post(pack(bytes(most)), { ...headers, ...more });
      // It may name what doesn't exist, but the request itself is in order.
      expect(["invalid_argument", "resource_exhausted", "internal"], JSON.stringify(within.body)).not.toContain(
        within.body?.code,
      );
      const over = await post(pack(bytes(most + 1)), { ...headers, ...more });
      const told = "content-encoding" in more ? "after decompression$" : `, got ${most + 1}$`;
      expectError(over, 429, "resource_exhausted", new RegExp(`^the request must be at most ${most} bytes.*${told}`));
    }
  });
});

test("MAX_REQUEST_BYTES is the ceiling for every RPC", async () => {
  const small = await serverInTest({ database: server.database, limits: { maximumRequestBytes: 5_000 } });
  const get = (path: string, length: number) => small.callService(path, json({}, length), { token });
  expect((await get("authorization.v2.AuthorizationService/ListAuthorizations", 5_000)).status).toBe(200);
  for (const [path, most] of [
    ["authorization.v2.AuthorizationService/ListAuthorizations", 5_000],
    ["directory.v1.DirectoryService/ApplyChanges", 5_000],
    ["authorization.v2.CallerService/GetCaller", 4_096],
  ] as const) {
    const over = await get(path, most + 1);
    expectError(over, 429, "resource_exhausted", `the request must be at most ${most} bytes, got ${most + 1}`);
  }
});

describe("Too many items of a list are invalid_argument for that list", () => {
  test.each([
    ["authorization.v2.AuthorizationService/ListAuthorizations", 3, "filters: must have at most 50 items"],
    ["authorization.v2.AuthorizationService/BatchSetState", 2, "items: must have at most 1000 items"],
    ["authorization.v2.AuthorizationService/UpdateAuthorization", 2, "roleKeys: must have at most 1000 items"],
    ["authorization.v2.CheckService/CheckRoles", 1, "items: must have at most 1000 items"],
    ["directory.v1.DirectoryService/ApplyChanges", 1, "changes: must have at most 1000 items"],
    ["directory.v1.DirectoryService/ListUsers", 2, "filters: must have at most 50 items"],
  ])("%s, however many fit into its bytes", async (path, field, message) => {
    const tag = new Uint8Array([(field << 3) | WireType.LengthDelimited, 0]);
    const body = gzipSync(Buffer.alloc(250_000, tag));
    const headers = { "content-type": "application/proto", "content-encoding": "gzip" };
    const answer = await server.callService(path, body, { token, headers });
    expectError(answer, 400, "invalid_argument");
    expect(answer.body.message).toContain(message);
    expect(answer.body.details[0].debug.violations.length).toBeLessThanOrEqual(101);
  });
});
