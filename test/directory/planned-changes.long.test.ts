import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { anyOf, anyOrganization, anyProject, anyUser } from "../oracle/generate-names.ts";
import { anyEntry, anyWorld, ids, mostly, root } from "../oracle/generate-world.ts";
import type { Change, Removal } from "../oracle/model/change.ts";
import { clearEverything } from "../support/clear-everything.ts";
import { expectDirectoryHistory, imageOf, keyOfThing, storedImages } from "../support/directory-history.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

// What is found about changes before they are made agrees with what they do, in any world.

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const anyRemoval: fc.Arbitrary<Removal> = fc.oneof(
  anyOrganization.map((organizationId) => ({ organizationId })),
  anyUser.map((userId) => ({ userId })),
  anyProject.map((projectId) => ({ projectId })),
  fc.record({ projectRole: fc.record({ projectId: anyProject, key: anyOf(ids.roleKeys) }) }),
  anyOf(ids.projectGrants).map((projectGrantId) => ({ projectGrantId })),
  fc.tuple(anyUser, anyEntry).map(([userId, { scope }]) => ({ administrator: { userId, ...scope } })),
  anyOf(ids.authorizations).map((authorizationId) => ({ authorizationId })),
);

/** Some removals, and some things of another world, which partly are as they are stored. */
const anyRequest = fc
  .record({
    removals: fc.array(anyRemoval, { maxLength: 3 }),
    things: anyWorld.chain((world) => fc.subarray(world, { maxLength: 12 })),
    same: fc.array(fc.nat(40), { maxLength: 3 }),
  })
  .map(({ removals, things, same }) => (world: readonly Change[]) => [
    ...removals.map((remove) => ({ remove })),
    ...things,
    ...same.flatMap((at) => world.slice(at, at + 1)),
  ]);

const anyCase = fc.record({
  world: anyWorld,
  requests: fc.array(fc.record({ request: anyRequest, byRoot: mostly(true), by: fc.constantFrom(...ids.users) }), {
    minLength: 1,
    maxLength: 3,
  }),
});

const home = { organization: { id: root.organizationId, name: "Home" } };
const named = { preferredLoginName: "root", displayName: "", avatarUrl: "" };
const shop = { project: { id: "shop", organizationId: root.organizationId, name: "Shop" } };
const role = { projectId: "shop", key: "k" };

/** Reaches every effect and a refusal, which only few cases at random do. */
const everyEffect = {
  world: [
    home,
    { user: { id: root.userId, organizationId: root.organizationId, ...named } },
    { administrator: { userId: root.userId, instance: true, roles: ["IAM_OWNER"] } } as Change,
    shop,
    { projectRole: { ...role, displayName: "", group: "" } },
  ],
  requests: [
    [home, { project: { ...shop.project, name: "Other" } }, { organization: { id: "acme", name: "Acme" } }],
    [{ remove: { projectRole: role } }],
    [home, home],
  ].map((changes) => ({ request: (): Change[] => changes, byRoot: true, by: ids.users[0] })),
};

test("a dry run answers what the real run answers, outcomes say what was and is stored, and events continue each other", async () => {
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyCase, async ({ world, requests }) => {
      await server.database.query(clearEverything);
      await server.database.load(...world);
      for (const { request, byRoot, by } of requests) {
        const changes = request(world);
        const token = await server.database.token(byRoot ? root.userId : by).catch(() => undefined);
        if (token === undefined) continue;
        const send = (dryRun: boolean) => server.callDirectory("ApplyChanges", { changes, dryRun }, { token });
        const before = await storedImages(server.database);
        const dry = await send(true);
        expect(await storedImages(server.database)).toEqual(before);
        const real = await send(false);
        // Each answer has a version of its own.
        expect({ status: real.status, body: { ...real.body, version: "" } }).toEqual({
          status: dry.status,
          body: { ...dry.body, version: "" },
        });
        const after = await storedImages(server.database);
        await expectDirectoryHistory(server.database);
        reached.add(String(real.status));
        if (real.status !== 200) {
          expect(after).toEqual(before);
          continue;
        }
        for (const [index, outcome] of real.body.outcomes.entries()) {
          reached.add(outcome.effect);
          const [kind = "", thing] = Object.entries<any>(outcome.after ?? outcome.before ?? {})[0] ?? [];
          if (kind === "" || kind === "authorization") continue;
          const key = keyOfThing(kind, thing);
          expect(outcome.after && imageOf(outcome.after[kind])).toEqual(after.get(key));
          if (outcome.before !== undefined) expect(imageOf(outcome.before[kind])).toEqual(before.get(key));
          // It may have been removed together with another thing.
          else if (before.has(key)) expect(changes.some((change) => "remove" in change)).toBe(true);
          expect([index, outcome.effect === "EFFECT_CHANGED"]).toEqual([index, outcome.changedFields.length > 0]);
        }
      }
    }),
    { numRuns: 24, examples: [[everyEffect]] },
  );
  expect([...reached]).toEqual(
    expect.arrayContaining(["200", "400", ...["NONE", "CREATED", "CHANGED", "REMOVED"].map((to) => `EFFECT_${to}`)]),
  );
});
