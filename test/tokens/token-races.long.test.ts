import { describe, expect, test } from "vitest";
import { apply, entry, remove } from "../support/changes.ts";
import { deadlocksIn, hold } from "../support/locks.ts";
import { denied, expectRefusal, unauthenticated } from "../support/refusals.ts";
import { serveSmallWorld } from "../support/server.ts";
import { callTokens, created, statusWith } from "../support/tokens.ts";
import { user } from "../support/world.ts";

const { server, root } = await serveSmallWorld({ poolSize: 30 });
const ann = await server.database.token("ann");

const countOf = async (where: string, value: string) =>
  (
    await server.database.query<{ n: number }>(`select count(*)::integer as n from tokens where ${where} = $1`, [value])
  )[0]?.n;

describe("A token that is made while the one it is made with is revoked", () => {
  test("is refused if the revocation came first", async () => {
    const parent = await created(server, ann);
    const held = await hold(server.database, "delete from tokens where id = $1", [parent.id]);
    const [child] = await held.holdUp([() => callTokens(server, "CreateToken", {}, parent.token)]);
    expectRefusal(child, unauthenticated);
    expect(await countOf("made_with", parent.id)).toBe(0);
  });

  test("is revoked with it if it came first, and so is what was made with it at the same time", async () => {
    const parent = await created(server, ann);
    const child = await created(server, parent.token);
    // As a request does it that has not committed yet.
    const insert = `insert into tokens (id, user_id, hash, made_with) values ($1::text, 'ann', sha256($1::text::bytea), $2)`;
    const held = await hold(server.database, insert, [`of-${child.id}`, child.id]);
    const revoking = callTokens(server, "RevokeToken", { id: parent.id }, ann);
    await held.untilWaiting(1);
    await held.query(insert, [`of-of-${child.id}`, `of-${child.id}`]);
    await held.commit();
    expect(await revoking).toMatchObject({ status: 200, body: { revoked: 4 } });
    const events = await server.database.query(
      "select from directory_events where after is null and id like '%' || $1",
      [child.id],
    );
    expect(events).toHaveLength(3);
  });

  test("never survives, however they race", async () => {
    for (let round = 0; round < 10; round += 1) {
      const parent = await created(server, ann);
      const makes = Array.from({ length: 6 }, () => callTokens(server, "CreateToken", {}, parent.token));
      const revoking = callTokens(server, "RevokeToken", { id: parent.id }, ann);
      const answers = await Promise.all(makes);
      const { status, body } = await revoking;
      expect(status).toBe(200);
      const made = answers.filter((answer) => answer.status === 200);
      expect(body.revoked).toBe(1 + made.length);
      for (const answer of made) expect(await statusWith(server, answer.body.token)).toBe(401);
      for (const answer of answers) expect([200, 401]).toContain(answer.status);
    }
  });
});

describe("A token that is made while its user or its maker is removed", () => {
  test("is refused, or goes with the user, and nothing deadlocks", async () => {
    const deadlocks = await deadlocksIn(server.database);
    for (let round = 0; round < 5; round += 1) {
      await server.database.load(user("short-lived", "acme"));
      const own = await server.database.token("short-lived");
      const calls = [
        ...Array.from({ length: 4 }, () => callTokens(server, "CreateToken", {}, own)),
        ...Array.from({ length: 4 }, () => callTokens(server, "CreateToken", { userId: "short-lived" }, root)),
      ];
      await apply(server, root, remove({ userId: "short-lived" }));
      for (const { status } of await Promise.all(calls)) expect([200, 400, 401]).toContain(status);
      expect(await countOf("user_id", "short-lived")).toBe(0);
    }
    expect(await deadlocksIn(server.database)).toBe(deadlocks);
  });

  test("is refused to a caller whose user is gone", async () => {
    await server.database.load(user("gone", "acme"));
    const own = await server.database.token("gone");
    const held = await hold(server.database, "delete from users where id = 'gone'");
    const [making] = await held.holdUp([() => callTokens(server, "CreateToken", {}, own)]);
    expectRefusal(making, unauthenticated);
  });
});

test("A token that is made while one it descends from goes with its user goes, too, and both have their event", async () => {
  await server.database.load(user("leaver", "acme"), entry("leaver", { instance: true }, "IAM_OWNER"));
  const given = await created(server, await server.database.token("leaver"), { userId: "ann" });
  const insert = `insert into tokens (id, user_id, hash, made_with) values ($1::text, 'ann', sha256($1::text::bytea), $2)`;
  const held = await hold(server.database, insert, [`of-${given.id}`, given.id]);
  const removal = apply(server, root, remove({ userId: "leaver" }));
  await held.untilWaiting(1);
  await held.query(insert, [`of-of-${given.id}`, `of-${given.id}`]);
  await held.commit();
  await removal;
  const ids = [given.id, `of-${given.id}`, `of-of-${given.id}`];
  expect(await server.database.query("select from tokens where id = any($1)", [ids])).toEqual([]);
  const events = await server.database.query(
    "select id from directory_events where id = any($1) and after is null and actor_id = 'root'",
    [ids],
  );
  expect(events.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
});

test("A right that is taken away while a token for another user is made does not count", async () => {
  await server.database.load(user("deputy", "acme"), entry("deputy", { instance: true }, "IAM_OWNER"));
  const deputy = await server.database.token("deputy");
  const held = await hold(server.database, "delete from administrators where user_id = 'deputy'");
  const [making] = await held.holdUp([() => callTokens(server, "CreateToken", { userId: "ann" }, deputy)]);
  expectRefusal(making, denied("directory.write"));
});

test("A right that is taken away while another user's token is revoked does not count", async () => {
  await server.database.load(user("helper", "acme"), entry("helper", { instance: true }, "IAM_OWNER"));
  const helper = await server.database.token("helper");
  const other = await created(server, root, { userId: "ann" });
  const held = await hold(server.database, "select from tokens where id = $1 for update", [other.id]);
  const revoking = callTokens(server, "RevokeToken", { id: other.id }, helper);
  await held.untilWaiting(1);
  await held.query("delete from administrators where user_id = 'helper'");
  await held.commit();
  expectRefusal(await revoking, denied("directory.write"));
  expect(await statusWith(server, other.token)).toBe(200);
});

test("A token that is made while an import replaces its user and its maker waits for it, and nothing deadlocks", async () => {
  const users = ["z-owner", "m-between", "a-user"].map((id) => user(id, "acme"));
  await server.database.load(...users, entry("z-owner", { instance: true }, "IAM_OWNER"));
  const owner = await server.database.token("z-owner");
  const deadlocks = await deadlocksIn(server.database);
  const held = await hold(server.database, "select from users where id = 'm-between' for update");
  const [, making] = await held.holdUp([
    () => server.database.load(...users),
    () => callTokens(server, "CreateToken", { userId: "a-user" }, owner),
  ]);
  expect(making.status).toBe(200);
  expect(await deadlocksIn(server.database)).toBe(deadlocks);
});
