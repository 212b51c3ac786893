import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { applyChanges, entry, organization } from "../support/changes.ts";
import { deadlocksIn, hold } from "../support/locks.ts";
import { instance, organizationOf, ownersIn, setOwners, waysToGo } from "../support/owners.ts";
import { type Answer, errorInfo, startTestServer, type TestServer } from "../support/server.ts";
import { user } from "../support/world.ts";

// docs/reference/directory.md: the API leaves the instance at least one IAM_OWNER, whoever else changes it.

let one: TestServer;
let other: TestServer;
/** Of o1 and o2, who are the only IAM_OWNERs when a test begins. */
let tokens: [string, string];

beforeAll(async () => {
  one = await startTestServer({ smallWorld: true, poolSize: 8 });
  other = await startTestServer({ database: one.database, poolSize: 8 });
});
afterAll(async () => {
  await other.stop();
  await one.stop();
});
beforeEach(begin);

async function begin(): Promise<void> {
  await setOwners(one.database, "o1", "o2");
  tokens = [await one.database.token("o1"), await one.database.token("o2")];
}

/** Sends a change that takes a user away, as that user: whoever loses the right while it waits is refused before. */
function take(change: (userId: string) => object, userId: "o1" | "o2"): Promise<Answer> {
  const isFirst = userId === "o1";
  return applyChanges(isFirst ? one : other, tokens[isFirst ? 0 : 1], [change(userId)]);
}

const outcomeOf = (answer: Answer) => (answer.status === 200 ? "done" : errorInfo(answer)?.reason);

/** Whoever takes the entry away comes as far as that, behind every check. */
const stopAtEntryOf = (userId: string) =>
  hold(one.database, "select from administrators where user_id = $1 for update", [userId]);

/** What every change of the directory waits for first. */
const stopAtStart = () => hold(one.database, "select pg_advisory_xact_lock(7206381402113)");

const pairs = waysToGo.flatMap(([first, takeFirst]) =>
  waysToGo.map(([second, takeSecond]) => ({ first, second, takeFirst, takeSecond })),
);

describe("Of two requests at once that would take one of the last two IAM_OWNERs each,", () => {
  test.each(pairs)(
    "where $first, and where $second: the second waits, and is LAST_OWNER",
    async ({ takeFirst, takeSecond }) => {
      const held = await stopAtEntryOf("o1");
      const first = take(takeFirst, "o1");
      await held.untilWaiting(1);
      const second = take(takeSecond, "o2");
      await held.untilWaiting(2);
      await held.rollback();
      expect([outcomeOf(await first), outcomeOf(await second)]).toEqual(["done", "LAST_OWNER"]);
      expect(await ownersIn(one.database)).toEqual(["o2"]);
    },
  );

  test("both of which wait to begin, one is done and the other refused", async () => {
    for (const { takeFirst, takeSecond } of pairs) {
      await begin();
      const held = await stopAtStart();
      const both = [take(takeFirst, "o1"), take(takeSecond, "o2")];
      await held.untilWaiting(2);
      await held.commit();
      expect((await Promise.all(both)).map(outcomeOf).toSorted()).toEqual(["LAST_OWNER", "done"]);
      expect(await ownersIn(one.database)).toHaveLength(1);
    }
  });
});

describe.each(waysToGo)("A request where %s", (_what, change) => {
  test.each([
    ["commit", "LAST_OWNER", ["o1"]],
    ["rollback", "done", ["o2"]],
  ] as const)("counts the other IAM_OWNER as that one's change ends: %s", async (end, outcome, left) => {
    const held = await stopAtStart();
    await held.query("delete from administrators where user_id = 'o2'");
    const waiting = take(change, "o1");
    await held.untilWaiting(1);
    await held[end]();
    expect(outcomeOf(await waiting)).toBe(outcome);
    expect(await ownersIn(one.database)).toEqual(left);
  });

  test("is refused when an import that is being applied takes the other IAM_OWNER", async () => {
    const held = await stopAtEntryOf("o2");
    const importing = one.database.import(entry("o2", instance));
    await held.untilWaiting(1);
    const waiting = take(change, "o1");
    await held.untilWaiting(2);
    await held.rollback();
    await importing;
    expect(outcomeOf(await waiting)).toBe("LAST_OWNER");
    expect(await ownersIn(one.database)).toEqual(["o1"]);
  });

  test("keeps no import from taking the other, because the command line may", async () => {
    const held = await stopAtEntryOf("o1");
    const first = take(change, "o1");
    await held.untilWaiting(1);
    const importing = one.database.import(entry("o2", instance));
    await held.untilWaiting(2);
    await held.rollback();
    expect(outcomeOf(await first)).toBe("done");
    await importing;
    expect(await ownersIn(one.database)).toEqual([]);
  });
});

test("Of two IAM_OWNERs who take each other away at once, one is done, and the other has no right any more", async () => {
  const held = await stopAtStart();
  const remove = (server: TestServer, token: string, id: string) => applyChanges(server, token, [entry(id, instance)]);
  const both = [remove(one, tokens[0], "o2"), remove(other, tokens[1], "o1")];
  await held.untilWaiting(2);
  await held.commit();
  expect((await Promise.all(both)).map(outcomeOf).toSorted()).toEqual(["PERMISSION_DENIED", "done"]);
  expect(await ownersIn(one.database)).toHaveLength(1);
});

test("Ten IAM_OWNERs who take themselves away, while roles are assigned to them, leave one and no deadlock", async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `ring-${index}`);
  await setOwners(one.database);
  await one.database.load(
    ...ids.flatMap((id) => [organization(organizationOf(id)), user(id, organizationOf(id))]),
    ...ids.map((id) => entry(id, instance, "IAM_OWNER")),
    entry("ann", instance, "IAM_USER_MANAGER"),
  );
  const callers = await Promise.all(ids.map((id) => one.database.token(id)));
  const ann = await one.database.token("ann");
  const held = await stopAtStart();
  const removing = ids.map((_, index) => {
    const change = waysToGo[index % waysToGo.length]?.[1](ids[index] ?? "");
    return applyChanges(index % 2 ? one : other, callers[index] ?? "", [change ?? {}]);
  });
  // One of each server. The others wait in their servers.
  await held.untilWaiting(2);
  const assigning = ids.map((userId, index) => {
    const request = { userId, projectId: "shop", organizationId: "acme", roleKeys: ["seller"] };
    return (index % 2 ? other : one).call("CreateAuthorization", request, { token: ann });
  });
  await held.commit();
  expect((await Promise.all(removing)).map(outcomeOf).toSorted()).toEqual(["LAST_OWNER", ...Array(9).fill("done")]);
  for (const answer of await Promise.all(assigning)) expect(["done", "USER_NOT_FOUND"]).toContain(outcomeOf(answer));
  expect(await ownersIn(one.database)).toHaveLength(1);
  expect(await deadlocksIn(one.database)).toBe(0);
  expect([...one.log, ...other.log].filter(({ level }) => Number(level) >= 40)).toEqual([]);
});
