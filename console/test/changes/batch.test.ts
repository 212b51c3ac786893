import { type Authorization, State } from "@authorization-service/client";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { chunkSize, sendBatch } from "../../src/changes/batch.ts";
import { type BatchChange, orderOf, wishesFor } from "../../src/changes/batch-change.ts";
import { assignment, away, refusal } from "./assignment.ts";
import { type World, worldOf } from "./world.ts";

const many = Array.from({ length: 250 }, (_, index) => assignment(String(index)));

const end = timestampFromMs(9_000_000_000_000);

async function send(world: World, change: BatchChange, rows: readonly Authorization[], stop = new AbortController()) {
  const orders = rows.map((row) => orderOf(change, row));
  const { outcomes, error } = await sendBatch(world.transport, orders, { reason: "", signal: stop.signal });
  return { outcomes: new Map([...outcomes].map(([id, outcome]) => [id, outcome.case])), error };
}

it.each([
  ["activate", {}, "batchSetState", { state: State.ACTIVE }, {}],
  ["deactivate", {}, "batchSetState", { state: State.INACTIVE }, {}],
  ["delete", {}, "batchDelete", {}, {}],
  [
    "add-roles",
    { wishes: wishesFor(many, { added: ["auditor"] }) },
    "batchUpdate",
    {},
    { roleKeys: ["auditor", "seller"] },
  ],
  ["remove-roles", { wishes: wishesFor(many, { removed: ["seller"] }) }, "batchUpdate", {}, { roleKeys: [] }],
  ["set-end", { end }, "batchUpdate", {}, { roleKeys: ["seller"], expirationDate: end }],
  ["set-end", { end: undefined }, "batchUpdate", {}, { roleKeys: ["seller"], removeExpiration: true }],
] as const)("%s sends every item with the change date that was shown, and is not atomic", async (...given) => {
  const [kind, more, rpc, all, each] = given;
  const rows = many.slice(0, 3);
  const world = worldOf(...rows);
  const { outcomes, error } = await send(world, { kind, ...more } as BatchChange, rows);
  expect(error).toBeUndefined();
  expect([...outcomes.values()]).toEqual(["done", "done", "done"]);
  const items = rows.map(({ id, changeDate }) => ({ id, ifUnchangedSince: changeDate, ...each }));
  expect(world.asked(rpc)).toMatchObject([{ ...all, items, atomic: false }]);
});

it("sends a hundred at a time, one chunk after the other", async () => {
  const world = worldOf(...many);
  const { outcomes } = await send(world, { kind: "deactivate" }, many);
  expect(world.asked("batchSetState").map(({ items }: { items: unknown[] }) => items.length)).toEqual([100, 100, 50]);
  expect(outcomes.size).toBe(250);
});

it("an item that fails fails alone, with its reason", async () => {
  const rows = many.slice(0, 3);
  const world = worldOf(...rows);
  world.change("1", (row) => {
    row.roles = [];
  });
  const { outcomes } = await send(world, { kind: "delete" }, rows);
  expect(Object.fromEntries(outcomes)).toEqual({ 0: "done", 1: "failed", 2: "done" });
  expect([...world.rows.keys()]).toEqual(["1"]);
});

it("once it is stopped it sends no other chunk", async () => {
  const world = worldOf(...many);
  const stop = new AbortController();
  world.before = () => stop.abort();
  const { outcomes } = await send(world, { kind: "deactivate" }, many, stop);
  expect(outcomes.size).toBe(chunkSize);
});

it.each([
  ["nobody answered", away()],
  ["the database went away, perhaps while committing", refusal("DATABASE_UNAVAILABLE", Code.Unavailable)],
])("when %s, the chunk is uncertain, and neither it nor another one is sent", async (_name, error) => {
  const world = worldOf(...many);
  world.before = () => {
    if (world.calls.length === 2) throw error;
  };
  const { outcomes, error: failed } = await send(world, { kind: "deactivate" }, many);
  expect(failed).toBeDefined();
  expect(world.calls).toHaveLength(2);
  expect(outcomes.get("99")).toBe("done");
  expect(outcomes.get("100")).toBe("uncertain");
  expect(outcomes.get("199")).toBe("uncertain");
  expect(outcomes.has("200")).toBe(false);
});

it.each(["OVERLOADED", "RATE_LIMITED"])("a chunk refused with %s is certain not to be done", async (reason) => {
  const world = worldOf(...many);
  world.before = () => {
    throw refusal(reason, Code.Unavailable);
  };
  const { outcomes, error } = await send(world, { kind: "deactivate" }, many);
  expect(error).toBeDefined();
  expect(outcomes.size).toBe(0);
});
