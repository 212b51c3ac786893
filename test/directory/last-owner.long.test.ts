import { beforeEach, describe, expect, test } from "vitest";
import { apply, applyChanges, entry, organization, remove } from "../support/changes.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { hold } from "../support/locks.ts";
import { instance, organizationOf, ownersIn, setOwners, waysToGo } from "../support/owners.ts";
import { expectRefusal } from "../support/refusals.ts";
import { type Answer, errorInfo, serveTests } from "../support/server.ts";
import { user } from "../support/world.ts";

// docs/reference/directory.md: the API leaves the instance at least one IAM_OWNER.

const server = await serveTests({ smallWorld: true });
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

describe("All IAM_OWNERs cannot go in one request,", () => {
  beforeEach(() => setOwners(server.database, "o1", "o2", "o3"));

  test.each(waysToGo.map(([what], index) => [what, index] as const))(
    "the first because %s, the others in other ways: the index is that of the last of these changes",
    async (_what, first) => {
      const [one, two, three] = [0, 1, 2].map((more) => waysToGo[(first + more) % waysToGo.length]?.[1]);
      const changes = [one?.("o1") ?? {}, two?.("o2") ?? {}, three?.("o3") ?? {}];
      await expectLastOwner(2, ...changes);
      await expectLastOwner(3, organization("bystander"), ...changes.toReversed(), organization("another"));
      expect((await send(...changes.slice(1))).status).toBe(200);
      expect(await ownersIn(server.database)).toEqual(["o1"]);
    },
  );

  test("not with one organization either", async () => {
    await server.database.load(user("o2", organizationOf("o1")), user("o3", organizationOf("o1")));
    await expectLastOwner(1, organization("bystander"), remove({ organizationId: organizationOf("o1") }));
  });
});

describe("Of an IAM_OWNER", () => {
  test("the token does not matter: one without a token, or with an expired one, counts", async () => {
    await setOwners(server.database, "o1", "o2");
    expect((await send(remove({ userId: "o1" }))).status).toBe(200);
    await setOwners(server.database, "o1", "o3");
    await server.database.token("o3", -1);
    expect((await send(remove({ userId: "o1" }))).status).toBe(200);
    expect(await ownersIn(server.database)).toEqual(["o3"]);
  });

  test("everything else may change: other roles, its names, its organization, and its other entries", async () => {
    await server.database.load(entry("o1", { organizationId: "acme" }, "ORG_OWNER"));
    await apply(
      server,
      await server.database.token("o1"),
      entry("o1", instance, "IAM_OWNER_VIEWER", "IAM_OWNER"),
      entry("o1", { organizationId: "acme" }),
      user("o1", "acme", "Another name"),
      remove({ organizationId: organizationOf("o2") }),
      remove({ administrator: { userId: "o3", ...instance } }),
    );
    expect(await ownersIn(server.database)).toEqual(["o1"]);
    const { body } = await send(remove({ organizationId: organizationOf("o1") }));
    expect(body).toMatchObject({ applied: 1 });
  });

  test("moving away from an organization that is removed does not save the entry, and naming it again does", async () => {
    const moved = [remove({ organizationId: organizationOf("o1") }), user("o1", "acme")];
    await expectLastOwner(0, ...moved);
    await expectLastOwner(0, ...moved, entry("o1", { organizationId: "acme" }, "ORG_OWNER"));
    expect((await send(...moved, owner("o1"))).status).toBe(200);
    expect(await ownersIn(server.database)).toEqual(["o1"]);
  });

  test("nothing is replaced by a user that does not exist", async () => {
    const before = await fingerprint(server.database);
    const answer = await send(remove({ userId: "o1" }), owner("never-was"));
    expect(errorInfo(answer)).toMatchObject({ reason: "REFERENCE_NOT_FOUND", metadata: { index: "1" } });
    expect(await fingerprint(server.database)).toEqual(before);
  });
});
