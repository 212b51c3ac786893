import { afterAll, beforeAll, expect, test } from "vitest";
import { type Dice, diceOf } from "../../demo/dice.ts";
import {
  apply,
  applyChanges,
  entry,
  organization,
  project,
  projectGrant,
  remove,
  removeRole,
} from "../support/changes.ts";
import { expectInvariants } from "../support/invariants.ts";
import { errorInfo, startTestServer, type TestServer } from "../support/server.ts";
import { role, user } from "../support/world.ts";

/**
 * Many writers at once on very few things, so that everything meets everything. Whatever comes of it, nobody is
 * answered with a failure of ours, and what holds at any moment holds.
 */

let servers: TestServer[];
let root: string;
const outcomes = new Map<string, number>();

const organizations = ["acme", "globex", "initech"];
const users = ["u0", "u1", "u2", "u3"];
const keys = ["k0", "k1", "k2", "k3"];
const projects = ["shop", "depot"];

const base = [
  organization("home"),
  user("root", "home"),
  entry("root", { instance: true }, "IAM_OWNER"),
  ...organizations.map((id) => organization(id)),
  ...users.map((id) => user(id, "globex")),
  ...projects.flatMap((id) => [project(id, "acme"), ...keys.map((key) => role(id, key))]),
  projectGrant("shop-globex", "shop", "globex", ...keys),
  projectGrant("shop-initech", "shop", "initech", ...keys),
];

beforeAll(async () => {
  const first = await startTestServer({ poolSize: 8 });
  servers = [first, await startTestServer({ poolSize: 8, database: first.database })];
  await first.database.load(...base);
  root = await first.database.token("root");
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
});

function place(dice: Dice): { projectId: string; organizationId: string } {
  return dice.chance(0.8)
    ? { projectId: "shop", organizationId: dice.pick(organizations) }
    : { projectId: "depot", organizationId: "acme" };
}

const someKeys = (dice: Dice) => dice.sample(keys, dice.below(keys.length));
const named = (dice: Dice) => ({
  authorization: { id: `n${dice.below(4)}`, userId: dice.pick(users), ...place(dice), roleKeys: someKeys(dice) },
});

/** Takes something away or puts it back; at times both, and authorizations beside. */
function directoryChanges(dice: Dice): object[] {
  const key = dice.pick(keys);
  const grant = dice.pick(["globex", "initech"]);
  const candidates: object[][] = [
    [removeRole("shop", key)],
    [role("shop", key), projectGrant("shop-globex", "shop", "globex", key)],
    [projectGrant(`shop-${grant}`, "shop", grant, ...someKeys(dice))],
    [remove({ projectGrantId: `shop-${grant}` })],
    [remove({ userId: dice.pick(users) })],
    [...users.map((id) => user(id, dice.pick(organizations)))],
    [remove({ authorizationId: `n${dice.below(4)}` })],
    [named(dice)],
    [named(dice), removeRole("shop", key), remove({ userId: "u3" })],
    [remove({ projectId: "shop" }), remove({ organizationId: "initech" })],
    [remove({ organizationId: "globex" })],
    // Most of the time everything is there.
    base,
    base,
    base,
  ];
  return dice.pick(candidates);
}

async function doSomething(dice: Dice, server: TestServer): Promise<void> {
  const roll = dice.below(100);
  if (roll < 12) return note("ApplyChanges", await applyChanges(server, root, directoryChanges(dice)));
  if (roll < 17) {
    const outcome = await server.database.import(...directoryChanges(dice)).then(
      () => "done",
      (error: { reason?: string }) => {
        if (error.reason === undefined) throw error;
        return error.reason;
      },
    );
    outcomes.set(`import ${outcome}`, (outcomes.get(`import ${outcome}`) ?? 0) + 1);
    return;
  }
  if (roll < 50) {
    const request = { userId: dice.pick(users), ...place(dice), roleKeys: someKeys(dice) };
    return note("Create", await server.call("CreateAuthorization", request, { token: root }));
  }
  const { body } = await server.call("ListAuthorizations", {}, { token: root });
  const ids: string[] = body.authorizations.map(({ id }: { id: string }) => id);
  if (ids.length === 0) return;
  const rpc = dice.pick([
    ...["UpdateAuthorization", "UpdateAuthorization", "UpdateAuthorization"],
    ...["DeleteAuthorization", "ActivateAuthorization", "DeactivateAuthorization"],
  ]);
  const request = { id: dice.pick(ids), ...(rpc === "UpdateAuthorization" ? { roleKeys: someKeys(dice) } : {}) };
  return note(rpc, await server.call(rpc, request, { token: root }));
}

function note(what: string, answer: { status: number; body: any }): void {
  const outcome = `${what} ${answer.status === 200 ? "done" : (errorInfo(answer as never)?.reason ?? answer.body.code)}`;
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
}

const writers = 10;
const operations = 35;

test("many writers at once meet refusals of the contract at most, and leave nothing broken", async () => {
  await Promise.all(
    Array.from({ length: writers }, async (_, index) => {
      const dice = diceOf(1_000 + index);
      for (let count = 0; count < operations; count += 1) {
        await doSomething(dice, servers[index % servers.length] as TestServer);
      }
    }),
  );
  const expected = new RegExp(
    [
      "^(ApplyChanges|import) (done|REFERENCE_NOT_FOUND|ROLE_NOT_FOUND|IMMUTABLE_FIELD|AUTHORIZATION_EXISTS)$",
      "^Create (done|USER_NOT_FOUND|ORGANIZATION_NOT_FOUND|PROJECT_NOT_GRANTED|ROLE_NOT_FOUND|AUTHORIZATION_EXISTS)$",
      "^\\w+Authorization (done|AUTHORIZATION_NOT_FOUND|ROLE_NOT_FOUND)$",
    ].join("|"),
  );
  expect([...outcomes.keys()].filter((outcome) => !expected.test(outcome))).toEqual([]);
  // So that the test keeps meeting what it is about.
  for (const often of ["ApplyChanges", "import", "Create", "UpdateAuthorization", "DeleteAuthorization"]) {
    expect(outcomes.get(`${often} done`) ?? 0, often).toBeGreaterThan(1);
  }
  expect(servers.flatMap(({ log }) => log.filter(({ level }) => Number(level) >= 40))).toEqual([]);
  const database = servers[0]?.database;
  if (database === undefined) throw new Error("there is no server");
  await expectInvariants(database);
  // And everything goes on.
  await apply(servers[0] as TestServer, root, ...base);
});
