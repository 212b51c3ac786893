import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { describe, expect, test } from "vitest";
import { ListAuthorizationsRequestSchema } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";
import { expectViolations, violationsOf } from "../support/violations.ts";

const { server, root: token } = await serveSmallWorld();

const ann = { userId: { id: "ann" } };
const not = (filter: object) => ({ not: filter });
const anyOf = (...filters: object[]) => ({ anyOf: { filters } });
const allOf = (...filters: object[]) => ({ allOf: { filters } });
const times = (count: number, filter: object) => Array.from({ length: count }, () => filter);
const services = [
  "authorization.v2.AuthorizationService/ListAuthorizations",
  "authorization.v2.OverviewService/GetOverview",
];

describe.each(services)("the nested filters of %s", (path) => {
  const ask = (...filters: object[]) => server.callService(path, { filters }, { token });

  const expectServed = ({ status }: Answer) => expect(status).toBe(200);

  test("may be at depth 3 and no deeper", async () => {
    for (const nest of [not, anyOf, allOf]) expectServed(await ask(nest(nest(ann))));
    for (const [deep, at] of [
      [not(not(not(ann))), "filters[0].not.not.not"],
      [anyOf(ann, not(anyOf(ann, ann))), "filters[0].anyOf.filters[1].not.anyOf.filters[0]"],
      [allOf(allOf(not(not(not(ann))))), "filters[0].allOf.filters[0].allOf.filters[0].not"],
    ] as const) {
      const [first] = violationsOf(await ask(deep));
      expect(first).toEqual([at, "filters.max_depth"]);
    }
  });

  test("count at every depth, also those that nest others, up to 50", async () => {
    const of50 = [anyOf(...times(20, ann), not(ann)), ...times(27, ann)];
    expectServed(await ask(...of50));
    expectViolations(await ask(...of50, ann), ["filters", "filters.max_total"]);
    expectViolations(await ask(anyOf(...times(50, ann))), ["filters", "filters.max_total"]);
    expectViolations(await ask(...times(51, ann)), ["filters", "repeated.max_items"]);
    expectViolations(
      await ask(anyOf(...times(51, ann))),
      ["filters[0].anyOf.filters", "repeated.max_items"],
      ["filters", "filters.max_total"],
    );
  });

  test("obey the rules of every filter, all reported at once", async () => {
    const bad = { roleKeys: { keys: ["a", "a"] } };
    expectViolations(
      await ask(not(anyOf({}, bad)), allOf(), not(not(not(bad))), { userId: { id: "\0" } }),
      ["filters[0].not.anyOf.filters[0].filter", "required"],
      ["filters[0].not.anyOf.filters[1].roleKeys.keys", "repeated.unique"],
      ["filters[1].allOf.filters", "repeated.min_items"],
      ["filters[2].not.not.not", "filters.max_depth"],
      ["filters[3].userId.id", "string.storable"],
    );
  });

  test("have dates in order, with some end, and possible ones", async () => {
    const early = "2024-01-01T00:00:00.000000001Z";
    const late = "2024-01-01T00:00:00.000000002Z";
    for (const kind of ["created", "changed"]) {
      expectViolations(await ask({ [kind]: {} }), [`filters[0].${kind}`, "date_range.some_end"]);
      expectViolations(await ask({ [kind]: { from: late, to: early } }), [`filters[0].${kind}`, "date_range.in_order"]);
      expectServed(await ask({ [kind]: { from: early, to: late } }));
      expectServed(await ask({ [kind]: { from: early, to: early } }));
      const answer = await ask(not({ [kind]: { from: "10000-01-01T00:00:00Z" } }));
      expect([answer.status, answer.body.code]).toEqual([400, "invalid_argument"]);
      expect(answer.body.message).toContain("from");
    }
  });

  test.each([-(2n ** 63n), 2n ** 63n - 1n, 253_402_300_800n])(
    "refuse a date of %s seconds in binary",
    async (seconds) => {
      const { body, status } = await askBinary({
        case: "created",
        value: { from: { seconds, nanos: -1 }, to: { seconds: 0n } },
      });
      expect([status, body.code]).toEqual([400, "invalid_argument"]);
      expect(body.message).toContain("filters[0].created.from: must be a time in the years 1 to 9999");
    },
  );

  test.each([4, 49, 99, 101, 1_000, 15_000])("are refused quickly when they nest %i deep", async (depth) => {
    const innermost = ['{"userId":{"id":"ann"}}', "{}", '{"unknown":1}', "7"];
    for (const [index, [before, after]] of [
      ['{"not":', "}"],
      ['{"anyOf":{"filters":[', "]}}"],
      ['{"allOf":{"filters":[{},', "]}}"],
    ].entries()) {
      const json = `{"filters":[${before?.repeat(depth)}${innermost[(depth + index) % 4]}${after?.repeat(depth)}]}`;
      await expectRefusedQuickly(() => server.callService(path, json, { token }));
    }
    for (const binary of [nestedBinary(depth, 108), nestedBinary(depth, 107, 1), nestedBinary(depth, 109, 1)]) {
      await expectRefusedQuickly(() => send(binary));
    }
  });

  test("are named in an error only as far as it is of use", async () => {
    const json = `{"filters":[${'{"not":'.repeat(1_000)}7${"}".repeat(1_000)}]}`;
    const { body } = await server.callService(path, json, { token });
    expect(body.message).toMatch(/^cannot decode .*: maximum recursion depth of 100 reached$/);
  });

  test("are refused quickly when there are far too many at every depth", async () => {
    const wide = (item: string) => `{"anyOf":{"filters":[${`${item},`.repeat(51)}${item}]}}`;
    const json = `{"filters":[${wide(wide(wide("{}")))}]}`;
    const headers = { "content-encoding": "gzip" };
    const answer = await expectRefusedQuickly(() => server.callService(path, gzipSync(json), { token, headers }));
    expect(violationsOf(answer)).toContainEqual(["filters", "filters.max_total"]);
  });

  const send = (bytes: Uint8Array) =>
    server.callService(path, bytes, { token, headers: { "content-type": "application/proto" } });
  // The list of filters has another number in each request.
  const number = path.endsWith("GetOverview") ? 1 : 3;

  function askBinary(filter: object): Promise<Answer> {
    const bytes = toBinary(
      ListAuthorizationsRequestSchema,
      create(ListAuthorizationsRequestSchema, { filters: [{ filter } as object] }),
    );
    const list = new Uint8Array(bytes);
    list[0] = (number << 3) | WireType.LengthDelimited;
    return send(list);
  }

  /** Each level within the fields of these numbers, written from the inside; an empty filter is the innermost. */
  function nestedBinary(depth: number, ...numbers: number[]): Uint8Array {
    const tags = numbers.map((each) => new BinaryWriter().uint32((each << 3) | WireType.LengthDelimited).finish());
    const pieces: Uint8Array[] = [];
    let length = 0;
    const wrap = (tag: Uint8Array) => {
      const head = Buffer.concat([tag, new BinaryWriter().uint32(length).finish()]);
      pieces.push(head);
      length += head.length;
    };
    for (let level = 0; level < depth && length < 500_000; level += 1) for (const tag of tags.toReversed()) wrap(tag);
    wrap(new Uint8Array([(number << 3) | WireType.LengthDelimited]));
    return Buffer.concat(pieces.reverse());
  }
});

/** A server that is kept busy by such requests for a second says so to the next one. */
async function expectRefusedQuickly(ask: () => Promise<Answer>): Promise<Answer> {
  const started = performance.now();
  const answer = await ask();
  expect(performance.now() - started).toBeLessThan(10_000);
  if (answer.status === 503) return expectRefusedQuickly(ask);
  expect([answer.status, answer.body.code]).toEqual([400, "invalid_argument"]);
  expect(JSON.stringify(answer.body).length).toBeLessThan(100_000);
  return answer;
}
