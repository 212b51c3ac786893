import { expect, test } from "vitest";
import { postgresStores } from "../../src/postgres/stores.ts";
import { openForTests, smallWorldOfTests } from "../support/database.ts";

const database = await smallWorldOfTests();
const stores = postgresStores(openForTests(database.url, 1));
const { signal } = new AbortController();
const scope = { kind: "instance", id: "" } as const;
const caller = { userId: "root", entries: [{ scope, roles: ["IAM_OWNER"] as const }] };
const page = { filters: [], offset: 0n, limit: 1, ascending: true };

async function eventsOfFeed() {
  const { moment: until } = await stores.feed.look(undefined, signal);
  const sending = { until, after: 0n, last: 1_000n };
  return { items: (await stores.feed.read(caller, [], { seen: undefined, sending }, signal)).events };
}

const ofEvent = "sequence time actor requestId reason";
const ofProject = "id name organizationId roles totalRoles";
const ofAssignmentEvent = `${ofEvent} type authorizationId user project organization projectGrantId roles roleKeysBefore state
  stateBefore expirationDate expirationDateBefore`;

// What a statement selects beside it is for its page alone.
test.each([
  ["events of the feed", ofAssignmentEvent, eventsOfFeed],
  ["events of assignments", ofAssignmentEvent, () => stores.history.list(caller, page, signal)],
  ["events of the directory", `${ofEvent} kind before after`, () => stores.directoryHistory.list(caller, page, signal)],
  ["projects", `${ofProject} grants totalGrants`, () => stores.lookUps.listProjects(caller, page, signal)],
  [
    "what can be assigned",
    `${ofProject} place projectGrantId`,
    () => stores.lookUps.listAssignable([scope], page, signal),
  ],
])("The %s of a page have the fields of their type alone", async (_, fields, list) => {
  const [item = {}] = (await list()).items as readonly object[];
  expect(Object.keys(item).toSorted()).toEqual(fields.split(/\s+/).toSorted());
});
