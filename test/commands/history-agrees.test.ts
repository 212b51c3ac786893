import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { directoryEventLine, eventLine } from "../support/history-lines.ts";
import { importRefusal } from "../support/import-refusal.ts";

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const at = (day: number) => `2026-01-0${day}T00:00:00.000000Z`;

const authorization = {
  ...{ id: "x", userId: "ann", projectId: "shop", organizationId: "globex", roleKeys: ["auditor", "seller"] },
  ...{ state: "STATE_INACTIVE", creationDate: at(3), changeDate: at(5) },
};

const world = [
  { organization: { id: "acme", name: "Acme" } },
  { organization: { id: "globex", name: "Globex" } },
  { user: { id: "ann", organizationId: "acme", preferredLoginName: "ann" } },
  { project: { id: "shop", organizationId: "acme", name: "Shop" } },
  { projectRole: { projectId: "shop", key: "auditor" } },
  { projectRole: { projectId: "shop", key: "seller", displayName: "Seller", group: "staff" } },
  { projectGrant: { id: "to-globex", projectId: "shop", organizationId: "globex", roleKeys: ["seller", "auditor"] } },
  { administrator: { userId: "ann", organizationId: "acme", roles: ["ORG_OWNER_VIEWER", "ORG_OWNER"] } },
  { administrator: { userId: "ann", instance: true, roles: ["IAM_OWNER"] } },
];

const placed = { organizationId: "globex", projectGrantId: "to-globex" };
const before = { roleKeysBefore: ["seller"], stateBefore: "active", creationDateBefore: at(3) };
const gone = { roleKeys: [], state: null, creationDate: null };

/** An assignment that was removed and added again, then changed and deactivated. */
const events: readonly object[] = [
  { ...placed, time: at(1), creationDate: at(1) },
  { ...placed, time: at(9), type: "user.grant.removed", ...before, ...gone, creationDateBefore: at(1) },
  { ...placed, time: at(3), creationDate: at(3), roleKeys: ["seller"] },
  { ...placed, time: at(4), creationDate: at(3), type: "user.grant.changed", ...before },
  {
    ...{ ...placed, time: at(5), creationDate: at(3), type: "user.grant.deactivated", ...before, state: "inactive" },
    roleKeysBefore: ["auditor", "seller"],
  },
];
const last = events.length - 1;

const sequence = (index: number) => `20260100000000${10 + index}`;
const lines = (fields: readonly object[]) => fields.map((one, index) => eventLine(sequence(index), one));
const withEvent = (index: number, fields: object) => lines(events.with(index, { ...events[index], ...fields }));

const refusalOf = (...imported: readonly object[]) =>
  importRefusal(
    database.url,
    imported.map((line) => JSON.stringify(line)),
  );

const refusedAt = (line: number, message: string) => ({ number: line, message });

describe("The events of an assignment", () => {
  test("are accepted if they lead to what the file says, wherever its lines are", async () => {
    const file = [...lines(events).reverse(), { authorization }, ...world];
    expect(await refusalOf(...file)).toBeUndefined();
    const exported = await runCommand(["export", "--events"], { env: { DATABASE_URL: database.url } });
    expect(exported.stdout.match(/"event"/g)).toHaveLength(events.length);
  });

  test.each<[rule: string, index: number, fields: object]>([
    ["userId must be that", last, { userId: "bob" }],
    ["projectId must be that", last, { projectId: "depot" }],
    ["organizationId must be that", last, { organizationId: "acme" }],
    ["projectGrantId must be that", last, { projectGrantId: "" }],
    ["state must be that", last, { type: "user.grant.changed", state: "active" }],
    ["state must be that", last, { type: "user.grant.removed", ...gone }],
    ["roleKeys must be those", last, { roleKeys: ["seller"] }],
    ["roleKeys must be those", last, { roleKeys: [] }],
    ["creationDate must be that", last, { creationDate: at(2) }],
    ["time must be the changeDate", last, { time: "2026-01-04T23:59:59.999999Z" }],
  ])("are refused if the last one says something else: %s", async (rule, index, fields) => {
    expect(await refusalOf({ authorization }, ...world, ...withEvent(index, fields))).toEqual(
      refusedAt(11 + index, `event.${rule} of the assignment in line 1, because it is its last event`),
    );
    expect(await database.query("select from organizations")).toEqual([]);
  });

  test.each([2, 3, last])("are refused if any since it was added is later than its change date: %s", async (index) => {
    expect(
      await refusalOf({ authorization }, ...world, ...withEvent(index, { time: "2026-01-05T00:00:00.000001Z" })),
    ).toEqual(refusedAt(11 + index, "event.time must not be later than the changeDate of the assignment in line 1"));
  });

  test("are compared with the dates that an assignment gets if its line has none", async () => {
    const { changeDate: _, ...withoutDate } = authorization;
    expect(await refusalOf({ authorization: withoutDate }, ...world, ...lines(events))).toMatchObject({
      message: expect.stringContaining("event.time must not be later than the changeDate"),
    });
  });

  test("may have been added long before the change date that an import gave", async () => {
    const added = { ...events[2], roleKeys: authorization.roleKeys, state: "inactive" };
    expect(await refusalOf({ authorization }, ...world, ...lines([added]))).toBeUndefined();
  });

  test("need none, and need no assignment, as in an archive", async () => {
    const other = { ...authorization, id: "y" };
    expect(await refusalOf({ authorization: other }, ...world, ...lines(events))).toBeUndefined();
  });

  test("are compared in a dry run, too", async () => {
    const file = [{ authorization }, ...world, ...withEvent(last, { roleKeys: [] })];
    const { code, stderr } = await runCommand(["import", "-", "--dry-run"], {
      ...{ env: { DATABASE_URL: database.url } },
      input: file.map((line) => JSON.stringify(line)).join("\n"),
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("line 15: event.roleKeys must be those of the assignment in line 1"),
    });
  });
});

describe("The last event of a thing", () => {
  const acme = { kind: "organization", id: "acme" };
  const globex = { kind: "organization", id: "globex" };
  const shop = { kind: "project", id: "shop" };
  const toGlobex = { kind: "projectGrant", id: "to-globex" };
  const added = [
    { kind: "organization", id: "acme", within: "", after: { id: "acme", name: "Acme" }, places: [acme] },
    {
      ...{ kind: "user", id: "ann", within: "", userId: "ann", places: [acme] },
      after: { id: "ann", organizationId: "acme", preferredLoginName: "ann" },
    },
    {
      ...{ kind: "project", id: "shop", within: "", places: [acme, shop] },
      after: { id: "shop", organizationId: "acme", name: "Shop" },
    },
    {},
    {
      ...{ kind: "projectGrant", id: "to-globex", within: "", places: [acme, globex, shop, toGlobex] },
      after: { id: "to-globex", projectId: "shop", organizationId: "globex", roleKeys: ["auditor", "seller"] },
    },
    {
      ...{ kind: "administrator", id: "ann", within: "organization:acme", userId: "ann", places: [acme] },
      after: { userId: "ann", organizationId: "acme", roles: ["ORG_OWNER", "ORG_OWNER_VIEWER"] },
    },
    {
      ...{ kind: "administrator", id: "ann", within: "instance:", userId: "ann", places: [] },
      after: { userId: "ann", instance: true, roles: ["IAM_OWNER"] },
    },
  ];
  const changed: Record<string, object> = {
    organization: { name: "A" },
    user: { displayName: "A" },
    project: { name: "S" },
    projectRole: { group: "" },
    projectGrant: { roleKeys: ["seller"] },
    administrator: { roles: ["ORG_OWNER"] },
  };
  const lineOf: Record<string, number> = {
    ...{ organization: 1, user: 3, project: 4, projectRole: 6, projectGrant: 7, administrator: 8 },
  };
  const directoryLines = (fields: readonly object[]) =>
    fields.map((one, index) => directoryEventLine(sequence(index), one));

  test("is accepted if it says what the file says", async () => {
    expect(await refusalOf(...world, ...directoryLines(added))).toBeUndefined();
  });

  test.each(Object.keys(changed))("is refused if it says something else: %s", async (kind) => {
    const directoryEvent = directoryLines(added)
      .map((line): any => line.directoryEvent)
      .find((one) => one.kind === kind);
    const { after } = directoryEvent;
    const other = { ...after, ...changed[kind] };
    for (const fields of [{ after: other }, { before: after, after: other }, { before: after, after: null }]) {
      const line = { directoryEvent: { ...directoryEvent, ...fields } };
      expect(await refusalOf(...world, line)).toEqual(
        refusedAt(
          world.length + 1,
          `directoryEvent.after must be the ${kind} in line ${lineOf[kind]}, because it is its last event`,
        ),
      );
    }
    // Not the last one any more.
    const later = { before: other, after, sequence: sequence(9) };
    const both = [{ after: other }, later].map((fields) => ({ directoryEvent: { ...directoryEvent, ...fields } }));
    expect(await refusalOf(...world, ...both)).toBeUndefined();
  });
});
