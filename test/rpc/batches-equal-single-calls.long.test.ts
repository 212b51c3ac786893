import { afterAll, beforeAll, expect, test } from "vitest";
import { diceOf } from "../../demo/dice.ts";
import { toRfc3339 } from "../../src/authorization/instant.ts";
import { findWrong } from "../../src/postgres/check/check-numbers.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { type FreshWorlds, openFreshWorlds } from "../support/fresh-worlds.ts";
import { expectInvariants } from "../support/invariants.ts";
import { type Answer, startTestServer, type TestServer } from "../support/server.ts";

// docs/reference/changes.md: each item is answered as the single call would be, one after the other.

const administrators = [
  { userId: "adam", organizationId: "acme", roles: ["ORG_OWNER"] },
  { userId: "bea", projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] },
  { userId: "bea", organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] },
  { userId: "cid", instance: true, roles: ["IAM_LOGIN_CLIENT"] },
].map((administrator) => ({ administrator }));
const callers = ["root", "root", "adam", "bea", "cid", "ann"];

/** One of two worlds that begin alike. What is made in it is known in both by when it was made. */
type World = { readonly server: TestServer; readonly tokens: Map<string, string>; readonly created: string[] };

let worlds: FreshWorlds;
let batched: World;
let single: World;
/** How many atomic batches were refused for what an earlier item of theirs did. */
let conflicts = 0;

beforeAll(async () => {
  worlds = await openFreshWorlds(...administrators);
  [batched, single] = await Promise.all([open(), open()]);
});
afterAll(async () => {
  for (const world of [batched, single]) await world?.server.stop();
  await worlds.drop();
});

async function open(): Promise<World> {
  const server = await startTestServer({ database: await worlds.next() });
  const tokens = new Map<string, string>();
  for (const userId of new Set(callers)) tokens.set(userId, await server.database.token(userId));
  return { server, tokens, created: [] };
}

type Since = "none" | "current" | "stale";
type Item = {
  target: string;
  roleKeys: string[];
  since: Since;
  userId: string;
  projectId: string;
  organizationId: string;
};
type Step = { kind: Kind; as: string; state: string; atomic: boolean; items: Item[] };
type Kind = "Create" | "Update" | "Delete" | "State";

test("an atomic batch at odds with itself is refused as its item would be, but with the earlier item in the answer", async () => {
  const item = { target: "a1", roleKeys: ["owner"], userId: "nobody", projectId: "shop", organizationId: "acme" };
  const items: Item[] = [
    { ...item, since: "none" },
    { ...item, since: "current" },
  ];
  for (const kind of ["Create", "Update", "State"] as const) {
    await compareStep({ kind, as: "root", state: "STATE_INACTIVE", atomic: true, items });
  }
  expect(conflicts).toBe(3);
});

test.each([1, 2, 3])(
  "random batches answer and leave what the same calls made singly do (seed %i)",
  async (seed) => {
    const dice = diceOf(seed);
    for (let count = 0; count < 12; count += 1) await compareStep(anyStep(dice));
    for (const { server } of [batched, single]) {
      await expectInvariants(server.database);
      expect(await findWrong({ connectionString: server.database.url })).toEqual([]);
    }
  },
  120_000,
);

type Dice = ReturnType<typeof diceOf>;

function anyStep(dice: Dice): Step {
  const kind = dice.pick<Kind>(["Create", "Update", "Update", "Delete", "State"]);
  const targets = [
    "a1",
    "a2",
    "a3",
    "a4",
    "a5",
    "a6",
    "never was",
    ...single.created.keys().map((n) => `created ${n}`),
  ];
  const some = dice.sample(targets, 1 + dice.below(Math.min(6, targets.length)));
  const keys = ["seller", "auditor", "owner", ...(dice.chance(0.15) ? ["keeper", "nonsense"] : [])];
  const items = Array.from({ length: 1 + dice.below(9) }, () => ({
    // Few, so that batches often name one more than once.
    target: dice.pick(some),
    roleKeys: dice.sample(keys, dice.below(3)),
    since: dice.pick<Since>(["none", "none", "none", "current", "stale"]),
    userId: dice.pick(["ann", "adam", "bob", "nobody", ...(dice.chance(0.2) ? ["no user"] : [])]),
    projectId: dice.pick(["shop", "shop", "depot", ...(dice.chance(0.2) ? ["no project"] : [])]),
    organizationId: dice.pick(["acme", "globex", "initech", ...(dice.chance(0.2) ? ["no organization"] : [])]),
  }));
  const state = dice.pick(["STATE_ACTIVE", "STATE_INACTIVE"]);
  return { kind, as: dice.pick(callers), state, atomic: dice.chance(0.4), items };
}

async function compareStep(step: Step): Promise<void> {
  const before = step.atomic ? await fingerprint(batched.server.database) : {};
  const dates = await changeDatesIn(batched);
  const requests = await Promise.all([requestsOf(batched, step), requestsOf(single, step)]);
  let answer = await callBatch(batched, step, requests[0], step.atomic);
  const refused = step.atomic && answer.status !== 200;
  const refusal = refused ? errorOf(answer) : undefined;
  if (refused) {
    expect(await fingerprint(batched.server.database)).toEqual(before);
    answer = await callBatch(batched, step, requests[0], false);
  }
  expect([answer.status, step]).toEqual([200, step]);
  const expected: object[] = [];
  for (const request of requests[1]) expected.push(resultOf(await callSingle(single, step, request)));

  const results: any[] = answer.body.results;
  note(batched, results);
  note(single, expected);
  const [observed, wanted] = [await plain(batched, requests[0], results), await plain(single, requests[1], expected)];
  expect({ step, results: observed }).toEqual({ step, results: wanted });
  expect(await stored(batched)).toEqual(await stored(single));
  const index = results.findIndex(({ error }) => error !== undefined);
  const first = index < 0 ? undefined : results[index].error;
  if (step.atomic) expect(refusal).toEqual(first && { ...first, ...ofBatch(index, requests[0], results, dates) });
}

/** What a refused item adds as that of an atomic batch. What an earlier item made is undone, so that item is named. */
function ofBatch(index: number, requests: any[], results: any[], dates: Map<string, string>): object {
  const { id, changeDate, ...metadata } = results[index].error.metadata;
  const first = results.slice(0, index).findIndex(({ success }, at) => {
    if (changeDate === undefined) return success.id !== undefined && success.id === id;
    const named = requests[index].id;
    return requests[at].id === named && success.changeDate !== dates.get(named);
  });
  if (first < 0) return { metadata: { ...results[index].error.metadata, index: String(index) } };
  conflicts += 1;
  const message = `items[${index}] conflicts with items[${first}]: remove one of them`;
  return { message, metadata: { ...metadata, firstIndex: String(first), index: String(index) } };
}

async function changeDatesIn(world: World): Promise<Map<string, string>> {
  const rows = await world.server.database.query<{ id: string; change_date: bigint }>(
    "select id, change_date from authorizations",
  );
  return new Map(rows.map((row) => [row.id, toRfc3339(row.change_date)]));
}

async function requestsOf(world: World, { kind, items }: Step): Promise<object[]> {
  const dates = await changeDatesIn(world);
  return items.map(({ target, roleKeys, since, ...create }) => {
    if (kind === "Create") return { ...create, roleKeys };
    const id = world.created[Number(/^created (\d+)$/.exec(target)?.[1] ?? -1)] ?? target;
    const date = since === "current" ? dates.get(id) : since === "stale" ? "2001-01-01T00:00:00Z" : undefined;
    return { id, ...(kind === "Update" && { roleKeys }), ...(date !== undefined && { ifUnchangedSince: date }) };
  });
}

function callBatch(world: World, { kind, as, state }: Step, items: object[], atomic: boolean): Promise<Answer> {
  const rpc = kind === "State" ? "BatchSetState" : `Batch${kind}Authorizations`;
  const request = { items, atomic, ...(kind === "State" && { state }) };
  return world.server.call(rpc, request, { token: world.tokens.get(as) ?? "" });
}

function callSingle(world: World, { kind, as, state }: Step, request: object): Promise<Answer> {
  const verb = kind !== "State" ? kind : state === "STATE_ACTIVE" ? "Activate" : "Deactivate";
  return world.server.call(`${verb}Authorization`, request, { token: world.tokens.get(as) ?? "" });
}

function resultOf(answer: Answer): object {
  return answer.status === 200 ? { success: answer.body } : { error: errorOf(answer) };
}

function errorOf({ body }: Answer): object {
  const { reason, metadata = {} } = body.details[0].debug;
  return { code: body.code, reason, message: body.message, metadata };
}

function note(world: World, results: any[]): void {
  for (const { success } of results) if (success?.id !== undefined) world.created.push(success.id);
}

/** With names for what differs between the worlds: the n-th created for ids, and the n-th change for dates. */
async function plain(world: World, requests: any[], results: any[]): Promise<unknown> {
  const events = await world.server.database.query<{ id: string; time: bigint }>(
    "select authorization_id as id, time from events order by sequence",
  );
  return results.map((result, index) => {
    const id = result.success?.id ?? requests[index].id;
    const dates = events.filter((event) => event.id === id).map(({ time }) => toRfc3339(time));
    return JSON.parse(JSON.stringify(result), (_, value) => {
      return dates.includes(value) ? `change ${dates.indexOf(value)}` : nameOf(world, value);
    });
  });
}

function nameOf(world: World, value: unknown): unknown {
  const index = world.created.indexOf(value as string);
  return index < 0 ? value : `created ${index}`;
}

/** All there is, without dates: authorizations with their roles, events in the order of each history, and totals. */
async function stored(world: World): Promise<unknown> {
  const { database } = world.server;
  const authorizations = await database.query(`
    select a.id, user_id, project_id, organization_id, project_grant_id, state, array(
      select role_key::text from authorization_roles h where h.authorization_id = a.id order by role_key) as role_keys
    from authorizations a`);
  const events = await database.query(`
    select authorization_id as id, row_number() over (partition by authorization_id order by sequence)::integer as number,
      type, actor_id, user_id, project_id, organization_id, project_grant_id, role_keys, state
    from events`);
  const totals = await database.query(`
    select concat_ws('/', kind, project_id, organization_id) as id, key, sum(number)::integer as number
    from numbers
    group by kind, project_id, organization_id, key having sum(number) <> 0`);
  const sorted = (rows: object[]) => rows.map((row) => JSON.stringify(row, (_, value) => nameOf(world, value))).sort();
  return { authorizations: sorted(authorizations), events: sorted(events), totals: sorted(totals) };
}
