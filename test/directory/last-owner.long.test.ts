import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { applyChanges, entry, organization } from "../support/changes.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { hold } from "../support/locks.ts";
import { instance, ownersIn, setOwners, waysToGo } from "../support/owners.ts";
import { expectRefusal } from "../support/refusals.ts";
import { type Answer, errorInfo, startTestServer } from "../support/server.ts";
import { user } from "../support/world.ts";

// docs/reference/directory.md: the API leaves the instance at least one IAM_OWNER.

const server = await startTestServer({ smallWorld: true });
afterAll(() => server.stop());
beforeEach(() => setOwners(server.database, "o1"));

async function send(...changes: object[]): Promise<Answer> {
  return applyChanges(server, await server.database.token("o1"), changes);
}

/** Fails unless the changes are refused with the index of this one, and nothing is changed. */
async function expectLastOwner(index: number, ...changes: object[]): Promise<void> {
  const before = await fingerprint(server.database);
  const answer = await send(...changes);
  const what = answer.body.message;
  expect(what).toMatch(/without an IAM_OWNER/);
  expectRefusal(answer, {
    ...{ status: 400, code: "failed_precondition", reason: "LAST_OWNER" },
    metadata: { index: String(index), what },
  });
  expect(await fingerprint(server.database)).toEqual(before);
}

const owner = (userId: string) => entry(userId, instance, "IAM_OWNER");

describe.each(waysToGo)("When %s,", (_what, change) => {
  test("the last IAM_OWNER stays: LAST_OWNER, with the index of that change", async () => {
    await expectLastOwner(0, change("o1"));
    await expectLastOwner(1, organization("bystander"), change("o1"), user("ann", "acme", "Anna"));
  });

  test("the last one can be removed if the same request adds another, before or after it", async () => {
    expect((await send(change("o1"), owner("o2"))).status).toBe(200);
    expect(await ownersIn(server.database)).toEqual(["o2"]);
    await setOwners(server.database, "o1");
    expect((await send(user("o4", "acme"), owner("o4"), change("o1"))).status).toBe(200);
    expect(await ownersIn(server.database)).toEqual(["o4"]);
  });

  test("the command line may take the last one", async () => {
    await server.database.import(change("o1"));
    expect(await ownersIn(server.database)).toEqual([]);
  });

  test("a request that waited until its caller was no IAM_OWNER any more is refused", async () => {
    await setOwners(server.database, "o1", "o2");
    const held = await hold(server.database, "select pg_advisory_xact_lock(7206381402113)");
    const waiting = send(change("o1"), organization("bystander", "Another name"));
    await held.untilWaiting(1);
    await held.query("update administrators set roles = '{IAM_OWNER_VIEWER}' where user_id = 'o1'");
    await held.commit();
    const refused = await waiting;
    expect([refused.status, errorInfo(refused)?.metadata.index]).toEqual([403, "0"]);
    expect(await server.database.query("select from organizations where name = 'Another name'")).toEqual([]);
  });
});
