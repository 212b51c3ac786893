import { randomBytes } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { expectRefusal } from "../support/refusals.ts";
import { serveSmallWorld } from "../support/server.ts";
import { type Created, callTokens, created, expire, listedTokens, statusWith } from "../support/tokens.ts";
import { user } from "../support/world.ts";

let plain: { id: string; token: string };

const { server, root } = await serveSmallWorld();
beforeEach(async () => {
  const id = `user-${randomBytes(6).toString("hex")}`;
  await server.database.load(user(id, "initech"));
  plain = { id, token: await server.database.token(id) };
});

const revoke = (id: string, token = plain.token, more: object = {}) =>
  callTokens(server, "RevokeToken", { id, ...more }, token);
const notFound = { status: 404, code: "not_found", reason: "TOKEN_NOT_FOUND" };
const statuses = (tokens: readonly Created[]) => Promise.all(tokens.map(({ token }) => statusWith(server, token)));

describe("RevokeToken", () => {
  test("ends a token for the very next request, while the others work", async () => {
    const [one, other] = [await created(server, plain.token), await created(server, plain.token)];
    expect(await revoke(one.id)).toMatchObject({ status: 200, body: { revoked: 1 } });
    expect(await statuses([one, other])).toEqual([401, 200]);
    expect((await listedTokens(server, plain.token)).map(({ id }) => id)).not.toContain(one.id);
    expectRefusal(await revoke(one.id), notFound);
  });

  test("can end the token that asks for it", async () => {
    const one = await created(server, plain.token);
    expect((await revoke(one.id, one.token)).status).toBe(200);
    expect(await statuses([one])).toEqual([401]);
  });

  test("ends every token made with it, and those made with them, and no other", async () => {
    const first = await created(server, plain.token);
    const second = await created(server, first.token);
    const third = await created(server, second.token);
    const sibling = await created(server, first.token);
    const other = await created(server, plain.token);
    expect(await revoke(second.id)).toMatchObject({ status: 200, body: { revoked: 2 } });
    expect(await statuses([first, second, third, sibling, other])).toEqual([200, 401, 401, 200, 200]);
    expect(await revoke(first.id)).toMatchObject({ status: 200, body: { revoked: 2 } });
    expect(await statuses([first, sibling, other])).toEqual([401, 401, 200]);
  });

  test("ends those an IAM_OWNER made with it for other users, too, and what these made", async () => {
    const owners = await created(server, root);
    const given = await created(server, owners.token, { userId: plain.id });
    const next = await created(server, given.token);
    expect(await revoke(owners.id, root)).toMatchObject({ body: { revoked: 3 } });
    expect(await statuses([owners, given, next])).toEqual([401, 401, 401]);
  });

  test("works on expired tokens, and what outlived them", async () => {
    const owners = await created(server, root);
    const given = await created(server, owners.token, { userId: plain.id });
    await expire(server, owners.id);
    expect(await statuses([owners, given])).toEqual([401, 200]);
    expect(await revoke(owners.id, root)).toMatchObject({ body: { revoked: 2 } });
    expect(await statuses([given])).toEqual([401]);
  });

  test("finds no token of another user, whether or not there is one, unless the caller is an IAM_OWNER", async () => {
    const other = await created(server, root, { userId: "ann" });
    const answers = [await revoke(other.id), await revoke("no such token")];
    for (const answer of answers) expectRefusal(answer, notFound);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    expect(await statuses([other])).toEqual([200]);
    expect((await revoke(other.id, root)).status).toBe(200);
    expectRefusal(await revoke("no such token", root), notFound);
  });

  test("is not for users who made a token for another, once they own the instance no more", async () => {
    await server.database.query("insert into administrators (user_id, roles) values ($1, '{IAM_OWNER}')", [plain.id]);
    const given = await created(server, plain.token, { userId: "ann" });
    await server.database.query("delete from administrators where user_id = $1", [plain.id]);
    expectRefusal(await revoke(given.id), notFound);
  });

  test("appends one event for each token, with who did it and why, and one request id", async () => {
    const first = await created(server, plain.token, { name: "first" });
    const second = await created(server, first.token, { name: "second" });
    await revoke(first.id, root, { reason: "lost" });
    const events = await server.database.query<Record<string, any>>(
      `select id, user_id, actor_id, request_id, reason, before, after from directory_events
       where id = any($1) and after is null order by sequence`,
      [[first.id, second.id]],
    );
    const shared = { user_id: plain.id, actor_id: "root", reason: "lost", after: null };
    expect(events).toMatchObject([
      { ...shared, id: first.id, before: { id: first.id, name: "first", userId: plain.id, makerId: plain.id } },
      { ...shared, id: second.id, before: { id: second.id, name: "second" } },
    ]);
    expect(new Set(events.map(({ request_id }) => request_id)).size).toBe(1);
    // What it was before is what it was made as.
    const made = await server.database.query(
      "select after from directory_events where id = any($1) and before is null order by sequence",
      [[first.id, second.id]],
    );
    expect(made.map(({ after }) => after)).toEqual(events.map(({ before }) => before));
  });
});
