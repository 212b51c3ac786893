import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CommandError } from "../../src/commands/command-error.ts";
import { readChanges } from "../../src/commands/import.ts";
import { runCommand } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { directoryEventLine, directoryEvents, eventLine, events, removedThingLine } from "../support/history-lines.ts";
import { importRefusal, numbered } from "../support/import-refusal.ts";
import { startTestServer } from "../support/server.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const root = [
  { organization: { id: "initech", name: "Initech" } },
  { user: { id: "root", organizationId: "initech", preferredLoginName: "root" } },
  { administrator: { userId: "root", instance: true, roles: ["IAM_OWNER"] } },
].map((line) => JSON.stringify(line));

const refusalOf = (lines: readonly string[]) => importRefusal(database.url, lines);

/** Whether the import refuses a line without Postgres. */
async function misread(text: string): Promise<boolean> {
  try {
    for await (const _ of readChanges(numbered([text])));
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(CommandError);
    expect((error as Error).message).toMatch(/^line 1: \S/);
    return true;
  }
}

/** Every list answers an owner of the instance, with every filter of the histories, and with as many events as there are. */
async function expectListed(expected: { readonly events: number; readonly directoryEvents: number }): Promise<void> {
  const server = await startTestServer({ database });
  const token = await database.token("root");
  const headers = { "Connect-Timeout-Ms": "60000" };
  const ask = async (path: string, request: object) => {
    const { status, body } = await server.callService(path, request, { token, headers });
    expect({ path, request, body: status === 200 ? "" : body, status }).toEqual({
      path,
      request,
      body: "",
      status: 200,
    });
    return body;
  };
  const all = async (path: string, filters: readonly object[]) => {
    let [total, listed, pageToken] = [0, 0, ""];
    do {
      const { pagination, events: page } = await ask(path, { filters, pagination: { limit: 1_000, pageToken } });
      total = pagination.totalResult;
      listed += page.length;
      pageToken = pagination.nextPageToken;
    } while (pageToken !== "");
    expect({ path, filters, listed }).toEqual({ path, filters, listed: total });
    return total;
  };
  const withIds = (names: string[]) =>
    names.flatMap((name) => ["", "ann", "shop", "acme"].map((id) => ({ [name]: { id } })));
  const time = { time: { from: "0001-01-01T00:00:00Z", to: "9999-12-31T23:59:59.999999999Z" } };
  for (const [path, ids, number] of [
    ["authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents", "authorizationId", expected.events],
    ["directory.v1.DirectoryHistoryService/ListDirectoryEvents", "id", expected.directoryEvents],
  ] as const) {
    expect(await all(path, [])).toBe(number);
    expect(await all(path, [time])).toBe(number);
    for (const filter of withIds([ids, "userId", "projectId", "organizationId", "actorId"])) await all(path, [filter]);
  }
  for (const path of [
    ...["AuthorizationService/ListAuthorizations", "OverviewService/GetOverview"].map(
      (rpc) => `authorization.v2.${rpc}`,
    ),
    ...["Organizations", "Users", "Projects", "Administrators"].map((of) => `directory.v1.DirectoryService/List${of}`),
    "identity.v1.TokenService/ListTokens",
  ]) {
    await ask(path, {});
  }
  await server.stop();
}

let last = 0;
function nextSequence(): string {
  last += 1;
  return `202601${String(last).padStart(10, "0")}`;
}

/** A valid line of each kind: of its sequence, and of an assignment or a removed thing of its own. */
const lines: readonly (() => object)[] = [
  ...events.map((fields) => () => {
    const sequence = nextSequence();
    return eventLine(sequence, { authorizationId: sequence, ...fields });
  }),
  ...directoryEvents.map((fields) => () => directoryEventLine(nextSequence(), fields)),
  () => removedThingLine(nextSequence()),
];

const long = "x".repeat(201);
const manyKeys = Array.from({ length: 1_001 }, (_, index) => `r${10_000 + index}`);

/** Values that a field may not have, or may have only by chance. */
const values: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, [], {}, [null], [""], ["a", "a"], ["b", "a"], [long], ["\ud800"], manyKeys, { id: "x" }],
  ...["", "x", long, "x".repeat(501), "🦊".repeat(151), "x".repeat(100_000), "\ud800", "a\u0000b", "\u0000"],
  ...["0", "-1", "9".repeat(18), "9223372036854775807", "9223372036854775808", "1e400"],
  ...["0000010000000001", "0001010000000001", "2026000000000001", "2026130000000001", "2026019999999999"],
  ...["1969120000000001", "2999010000000001", "9999120000000001", "9999129999999999"],
  ...["2026-01-31T08:00:00Z", "0000-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00"],
  ...["9999-12-30T23:59:59.999999Z", "9999-12-31T00:00:00Z", "9999-12-31T23:59:59.999999Z", "10000-01-01T00:00:00Z"],
  ...["2026-02-30T00:00:00Z", "2026-01-05T00:00:00.0000001Z", "2016-12-31T23:59:60Z", "infinity", "now"],
  ...["user", "token", "organization", "user.grant.added", "user.grant.removed", "active", "instance:", "project:"],
  ...["IAM_OWNER", "ORG_OWNER", "http://x", "javascript:0", "3B241101-E2BB-4255-8CAF-4136C566A962"],
  ...["00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-00000000000g"],
];

type Path = readonly string[];

/** Every change of one value within a line: another value, one thing less, more or twice. */
function* mutations(value: unknown, path: Path = []): Generator<readonly [Path, unknown]> {
  for (const other of values) yield [path, other];
  if (typeof value !== "object" || value === null) return;
  yield [path, Array.isArray(value) ? [...value, ...value] : { ...value, more: 1 }];
  for (const [name, inner] of Object.entries(value)) {
    yield [path, Array.isArray(value) ? value.filter((one) => one !== inner) : { ...value, [name]: undefined }];
    yield* mutations(inner, [...path, name]);
  }
}

function mutated(value: unknown, [name, ...path]: Path, other: unknown): unknown {
  if (name === undefined) return other;
  const inner = mutated((value as Record<string, unknown>)[name], path, other);
  return Array.isArray(value) ? value.with(Number(name), inner) : { ...(value as object), [name]: inner };
}

describe("A line about the history", () => {
  test("is accepted as it is, and then listed everywhere", async () => {
    const texts = lines.map((line) => JSON.stringify(line()));
    expect(await refusalOf([...root, ...texts])).toBeUndefined();
    await expectListed({ events: events.length, directoryEvents: directoryEvents.length });
  });

  test("with any value changed is refused by its number, or accepted and then listed everywhere", async () => {
    let accepted: string[] = [];
    let refused = 0;
    for (const line of lines) {
      const [[kind, fields] = []] = [...Object.entries(line())];
      for (const [path, value] of mutations(fields)) {
        const text = JSON.stringify(mutated(line(), [String(kind), ...path], value));
        if (await misread(text)) refused += 1;
        else accepted.push(text);
      }
    }
    // The test would say nothing if everything were refused, or nothing.
    expect(refused).toBeGreaterThan(10_000);
    expect(accepted.length).toBeGreaterThan(200);
    for (;;) {
      const refusal = await refusalOf([...root, ...accepted]);
      if (refusal === undefined) break;
      // The only rule that needs the clock, or other lines. All lines with the same value go.
      const [, month] = /^\w+\.\w+ is of (\d{4}-\d\d), but the clock/.exec(refusal.message) ?? [];
      const line = accepted[refusal.number - root.length - 1] ?? "";
      expect(line).toContain(`:"${month?.replace("-", "")}`);
      accepted = accepted.filter((text) => !text.includes(`:"${month?.replace("-", "")}`));
    }
    const count = (kind: string) => accepted.filter((text) => text.startsWith(`{"${kind}"`)).length;
    expect(count("directoryEvent")).toBeGreaterThan(100);
    await expectListed({ events: count("event"), directoryEvents: count("directoryEvent") });
    const env = { DATABASE_URL: database.url };
    expect(await runCommand(["check"], { env })).toMatchObject({ code: 0, stdout: "" });
    // What was accepted is exported in a form that is accepted again.
    const { stdout: text } = await runCommand(["export", "--events"], { env });
    const copy = await createTestDatabase();
    const into = { env: { DATABASE_URL: copy.url } };
    expect(await runCommand(["import", "-"], { ...into, input: text })).toMatchObject({ code: 0 });
    expect((await runCommand(["export", "--events"], into)).stdout).toBe(text);
    await copy.drop();
  });
});

const event = (fields: object) => eventLine(nextSequence(), fields);
const thing = (fields: object) => directoryEventLine(nextSequence(), fields);
const [role, organization, , moved, renamed, lessened, , , , , revoked] = directoryEvents;
const { roleKeys: _, ...withoutRoles } = eventLine("2026010000000001").event;
/** A month, counted from that of the clock, with the ten digits that follow. */
const inMonths = (months: number, digits: string) => {
  const now = new Date();
  return (
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months)).toISOString().slice(0, 7).replace("-", "") +
    digits
  );
};

test("Times of an assignment may fall, because it can come again with an earlier date once its events are archived", async () => {
  const lines = [eventLine("2026010000000001"), eventLine("2026010000000002", { time: "2020-01-01T00:00:00Z" })];
  expect(await refusalOf([...root, ...lines.map((line) => JSON.stringify(line))])).toBeUndefined();
  await expectListed({ events: 2, directoryEvents: 0 });
});

test.each<[what: string, ...lines: object[]]>([
  ["event.sequence must be a year", event({ sequence: "2026130000000001" })],
  ["event.sequence must be a year", event({ sequence: "2026019000000000" })],
  ["event.sequence occurs twice", eventLine("2026010000000001"), eventLine("2026010000000001")],
  [
    "directoryEvent.sequence occurs twice",
    directoryEventLine("2026010000000001"),
    directoryEventLine("2026010000000001"),
  ],
  ["event.time must be a time", event({ time: "2026-02-30T00:00:00Z" })],
  ["event.time must be a time in the years 1 to 9999", event({ time: "0000-12-31T00:00:00Z" })],
  ["event.type must be one of", event({ type: "user.grant.created" })],
  ["event.userId must have 1 to 200 characters", event({ userId: "" })],
  ["event.userId must have at most 600 bytes", event({ userId: "\u{1F98A}".repeat(151) })],
  ["event.projectGrantId must have 1 to 200 characters", event({ projectGrantId: long })],
  ["event.projectGrantId must be a text", event({ projectGrantId: "\ud800" })],
  ["event.reason must have at most 500 characters", event({ reason: "x".repeat(501) })],
  ["event.requestId must be a UUID", event({ requestId: "x" })],
  ["event.roleKeys is missing", { event: withoutRoles }],
  ["event.roleKeys must be a list of role keys: each must have", event({ roleKeys: [""] })],
  ["event.roleKeys must be sorted, without duplicates", event({ roleKeys: ["b", "a"] })],
  ['event has no field "more"', event({ more: 1 })],
  ["event must be the only field", { ...event({}), user: { id: "x" } }],
  ["event.state and event.creationDate must", event({ state: null })],
  ["event.stateBefore may be null only", event({ type: "user.grant.changed" })],
  ["event.roleKeysBefore must be empty", event({ roleKeysBefore: ["a"] })],
  ["event.roleKeys must be empty for a removal", event({ ...events[5], roleKeys: ["a"] })],
  ["event.stateBefore must be active, and event.state inactive", event({ ...events[3], state: "active" })],
  ["event.projectIdBefore must be null unless", event({ projectIdBefore: "x", organizationIdBefore: "o" })],
  ["directoryEvent.kind must be one of", thing({ kind: "thing" })],
  ["directoryEvent.before or directoryEvent.after must be set", thing({ after: null })],
  ["directoryEvent.before and directoryEvent.after must differ", thing({ ...renamed, after: { ...renamed?.before } })],
  [
    "directoryEvent.after: organization.name: must be at most 200",
    thing({ ...organization, after: { id: "acme", name: long } }),
  ],
  ["directoryEvent.after: .*unknown", thing({ ...organization, after: { id: "acme", name: "Acme", title: "x" } })],
  [
    "directoryEvent.after: user.avatarUrl: must begin with",
    thing({ ...moved, after: { ...moved?.after, avatarUrl: "x y" } }),
  ],
  [
    "directoryEvent.after: IAM_OWNER is not",
    thing({ ...directoryEvents[6], after: { userId: "ann", organizationId: "acme", roles: ["IAM_OWNER"] } }),
  ],
  [
    "directoryEvent.after: administrator.roles: must not",
    thing({ ...directoryEvents[6], after: { userId: "ann", organizationId: "acme" } }),
  ],
  ["directoryEvent.before: token.creationDate is missing", thing({ ...revoked, before: { id: "t", userId: "ann" } })],
  [
    "directoryEvent.before or directoryEvent.after must be null for a token",
    thing({ ...revoked, after: revoked?.before }),
  ],
  [
    "directoryEvent.before and directoryEvent.after must be the same",
    thing({ ...renamed, after: { ...renamed?.after, id: "x" } }),
  ],
  [
    "directoryEvent.after.organizationId must be as before",
    thing({ ...lessened, after: { ...lessened?.after, organizationId: "x" } }),
  ],
  ['directoryEvent.id must be "seller"', thing({ ...role, id: "buyer" })],
  ['directoryEvent.within must be "shop"', thing({ ...role, within: "x".repeat(3_000) })],
  ['directoryEvent.userId must be "ann"', thing({ ...moved, userId: null })],
  ["directoryEvent.places.kind must be one of", thing({ places: [{ kind: "user", id: "x" }] })],
  [
    "directoryEvent.places must contain organization:globex",
    thing({ ...moved, places: [{ kind: "organization", id: "acme" }] }),
  ],
  ["directoryEvent.places must contain one more", thing({ places: [{ kind: "project", id: "shop" }] })],
  [
    "directoryEvent.places must not contain project:shop",
    thing({
      ...organization,
      places: [
        { kind: "organization", id: "acme" },
        { kind: "project", id: "shop" },
      ],
    }),
  ],
  ["removedThing.lastEvent must be 0, a sequence", removedThingLine("y", { lastEvent: "9223372036854775808" })],
  ["removedThing.lastEvent must be 0, a sequence", removedThingLine("y", { lastEvent: "2026019000000000" })],
  ["removedThing.lastEvent must be 0, a sequence", removedThingLine("y", { lastEvent: "2026000000000001" })],
  ["removedThing.lastEvent must be 0, a sequence", removedThingLine("y", { lastEvent: "2026129999999999" })],
  ["the same thing was removed before", removedThingLine("y"), removedThingLine("y")],
])("A line about the history is refused: %s", async (what, ...refused) => {
  const refusal = await refusalOf([...root, ...refused.map((line) => JSON.stringify(line))]);
  expect(refusal).toEqual({ number: root.length + refused.length, message: expect.stringMatching(`^${what}`) });
});

test("A line about the history that names a field twice is refused, as in a change", async () => {
  const text = JSON.stringify(eventLine("2026010000000001")).replace('"reason":""', '"reason":"","reason":"x"');
  expect(await refusalOf([text])).toEqual({ number: 1, message: expect.stringMatching(/duplicate.*"reason"/) });
});

describe("The months of the events", () => {
  test("can be up to the next one, and new events and months follow them", async () => {
    const next = inMonths(1, "7999999999");
    const line = eventLine(next, { ...events[0], authorizationId: "a9", time: "2026-01-05T00:00:00Z" });
    expect(await refusalOf([...root, JSON.stringify(line), JSON.stringify(directoryEventLine(next))])).toBeUndefined();
    await database.import({ organization: { id: "later", name: "Later" } });
    await database.query("select add_months(), begin_month()");
    await database.import({ organization: { id: "latest", name: "Latest" } });
    const rows = await database.query("select id, sequence::text from directory_events order by sequence");
    expect(rows).toEqual([
      { id: "seller", sequence: next },
      { id: "later", sequence: inMonths(1, "8000000000") },
      { id: "latest", sequence: inMonths(1, "8000000001") },
    ]);
    await expectListed({ events: 1, directoryEvents: 3 });
  });

  test("can't be later, and the refusal names the month and the clock", async () => {
    for (const [field, line] of [
      ["event.sequence", eventLine(inMonths(2, "0000000001"))],
      ["directoryEvent.sequence", directoryEventLine(inMonths(2, "0000000001"))],
      ["removedThing.lastEvent", removedThingLine("x", { lastEvent: inMonths(2, "0000000000") })],
      ["removedThing.lastDirectoryEvent", removedThingLine("x", { lastDirectoryEvent: inMonths(2, "0000000001") })],
    ] as const) {
      const refusal = await refusalOf([...root, JSON.stringify(line)]);
      const month = `\\d{4}-\\d\\d`;
      expect(refusal).toEqual({
        number: root.length + 1,
        message: expect.stringMatching(
          `^${field} is of ${month}, but the clock of the database says ${month}-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ, and months after the next one`,
        ),
      });
    }
  });

  test.each([0, 1])("leave room for later events until they are over: %s months later", async (months) => {
    for (const [field, line] of [
      ["event.sequence", eventLine(inMonths(months, "8000000000"))],
      ["directoryEvent.sequence", directoryEventLine(inMonths(months, "8999999999"))],
      ["removedThing.lastEvent", removedThingLine("x", { lastEvent: inMonths(months, "8000000000") })],
      [
        "removedThing.lastDirectoryEvent",
        removedThingLine("x", { lastDirectoryEvent: inMonths(months, "8000000000") }),
      ],
    ] as const) {
      expect(await refusalOf([...root, JSON.stringify(line)])).toEqual({
        number: root.length + 1,
        message: `${field} must end in at most 7999999999, because that month isn't over, and later events need room`,
      });
    }
  });

  test("have all their sequences once they are over, and new events follow in this month", async () => {
    const past = inMonths(-1, "8999999999");
    const lines = [eventLine(past), directoryEventLine(past), removedThingLine("x", { lastDirectoryEvent: past })];
    expect(await refusalOf([...root, ...lines.map((line) => JSON.stringify(line))])).toBeUndefined();
    await database.import({ organization: { id: "later", name: "Later" } });
    expect(await database.query("select sequence::text from directory_events where id = 'later'")).toEqual([
      { sequence: inMonths(0, "0000000001") },
    ]);
  });

  test("are not before what hides the events of a removed thing", async () => {
    // Its events were archived on a machine whose clock is ahead.
    const last = inMonths(1, "0000000005");
    const removed = removedThingLine("ann", { lastEvent: last, lastDirectoryEvent: last });
    expect(await refusalOf([...root, JSON.stringify(removed)])).toBeUndefined();
    await database.import({ user: { id: "ann", organizationId: "initech", preferredLoginName: "ann" } });
    expect(await database.query("select sequence::text from directory_events")).toEqual([
      { sequence: inMonths(1, "0000000006") },
    ]);
  });
});

test("A thing that was removed when all events up to January were archived can be exported and imported", async () => {
  await database.import(...root.map((line) => JSON.parse(line)));
  await database.import({ user: { id: "ann", organizationId: "initech", preferredLoginName: "ann" } });
  await database.query("update kept_history set first_sequence = 2026010000000000");
  await database.import({ remove: { userId: "ann" } });
  const { stdout } = await runCommand(["export", "--events"], { env: { DATABASE_URL: database.url } });
  expect(stdout).toContain('"organizationId":"initech","lastEvent":"2026009999999999",');
  const copy = await createTestDatabase();
  const into = { env: { DATABASE_URL: copy.url } };
  expect(await runCommand(["import", "-"], { ...into, input: stdout })).toMatchObject({ code: 0 });
  expect((await runCommand(["export", "--events"], into)).stdout).toBe(stdout);
  await copy.drop();
});

test("A thing that was removed before there was any event can be exported and imported", async () => {
  await database.import(...root.map((line) => JSON.parse(line)));
  await database.import({ user: { id: "ann", organizationId: "initech", preferredLoginName: "ann" } });
  await database.import({ remove: { userId: "ann" } });
  const { stdout } = await runCommand(["export", "--events"], { env: { DATABASE_URL: database.url } });
  expect(stdout).toContain('{"removedThing":{"kind":"user","id":"ann","organizationId":"initech","lastEvent":"0",');
  const copy = await createTestDatabase();
  expect(await runCommand(["import", "-"], { env: { DATABASE_URL: copy.url }, input: stdout })).toMatchObject({
    code: 0,
  });
  await copy.drop();
});
