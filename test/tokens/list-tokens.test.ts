import { describe, expect, test } from "vitest";
import { apply, remove } from "../support/changes.ts";
import { denied, expectRefusal, precondition } from "../support/refusals.ts";
import { serveTests } from "../support/server.ts";
import { callTokens, created, listedTokens } from "../support/tokens.ts";
import { person, user } from "../support/world.ts";

/** Ann's tokens, oldest first: two were created in the same microsecond, and one has no maker and no end. */
const ids = ["t0", "t1", "t2", "t3", "t4"];

const server = await serveTests({ smallWorld: true });
const [ann, root] = [await add("t4", "ann", 4), await add("of-root", "root", 1)];
for (const [id, minutes] of Object.entries({ t0: 0, t1: 1, t2: 1, t3: 3 })) await add(id, "ann", minutes);
await server.database.query("update tokens set expiration_date = null, maker_id = null where id = 't0'");

async function add(id: string, userId: string, minutes: number): Promise<string> {
  const token = await server.database.token(userId);
  await server.database.query(
    `update tokens set id = $1::text, name = 'the ' || $1::text, maker_id = 'root',
       creation_date = '2026-01-01T00:00:00.000001Z'::timestamptz + $2 * interval '1 minute'
     where hash = sha256($3)`,
    [id, minutes, token],
  );
  return token;
}

const list = (request: object, token = ann) => callTokens(server, "ListTokens", request, token);
const idsOf = (tokens: any[]) => tokens.map(({ id }) => id);

describe("ListTokens", () => {
  test("answers the caller's tokens, newest first or oldest first, and with the total", async () => {
    const { body } = await list({});
    expect(body.pagination).toEqual({ totalResult: 5, appliedLimit: 100, nextPageToken: "" });
    expect(idsOf(body.tokens)).toEqual(ids.toReversed());
    expect(idsOf(await listedTokens(server, ann, { pagination: { asc: true } }))).toEqual(ids);
  });

  test("shows everything of a token but what proves it", async () => {
    const tokens = await listedTokens(server, ann, { pagination: { asc: true } });
    expect(tokens[0]).toEqual({
      id: "t0",
      name: "the t0",
      user: person("ann", "acme"),
      creationDate: "2026-01-01T00:00:00.000001Z",
    });
    expect(tokens[1]).toEqual({
      id: "t1",
      name: "the t1",
      user: person("ann", "acme"),
      creationDate: "2026-01-01T00:01:00.000001Z",
      expirationDate: expect.stringMatching(/Z$/),
      maker: person("root", "acme"),
    });
  });

  test("marks the token of the request, and no other", async () => {
    const current = (tokens: any[]) => idsOf(tokens.filter((token) => "current" in token));
    const tokens = await listedTokens(server, ann, {});
    expect(current(tokens)).toEqual(["t4"]);
    expect(tokens.find(({ id }) => id === "t4").current).toBe(true);
    expect(current(await listedTokens(server, root, { userId: "ann" }))).toEqual([]);
  });

  test.each([true, false])("page tokens followed to the end show every token once, in order (asc: %s)", async (asc) => {
    const reached: string[] = [];
    const totals = new Set<number>();
    let pageToken = "";
    do {
      const { body } = await list({ pagination: { asc, limit: 2, pageToken, skipTotal: reached.length === 2 } });
      reached.push(...idsOf(body.tokens));
      totals.add(body.pagination.totalResult);
      pageToken = body.pagination.nextPageToken;
    } while (pageToken !== "");
    expect(reached).toEqual(asc ? ids : ids.toReversed());
    expect([...totals]).toEqual([5, 0]);
  });

  test("has offsets, also past the end", async () => {
    expect(idsOf(await listedTokens(server, ann, { pagination: { asc: true, offset: 3 } }))).toEqual(["t3", "t4"]);
    const { body } = await list({ pagination: { offset: 5 } });
    expect(body).toMatchObject({ pagination: { totalResult: 5 }, tokens: [] });
  });

  test("lets an IAM_OWNER list anyone's tokens, and says which user does not exist", async () => {
    expect(idsOf(await listedTokens(server, root, { userId: "ann" }))).toEqual(ids.toReversed());
    expect(idsOf(await listedTokens(server, root, { userId: "cid" }))).toEqual([]);
    expectRefusal(await list({ userId: "no such user" }, root), precondition("USER_NOT_FOUND"));
  });

  test("is refused for others to everyone else, whether or not they exist", async () => {
    expect(idsOf(await listedTokens(server, ann, { userId: "ann" }))).toHaveLength(5);
    const answers = [await list({ userId: "bob" }), await list({ userId: "no such user" })];
    for (const answer of answers) expectRefusal(answer, denied("directory.write"));
    expect(answers[0]?.body).toEqual(answers[1]?.body);
  });

  test("leaves out what expired more than 30 days ago, on pages and in totals", async () => {
    const ofBea = await server.database.token("bea");
    for (const [id, age] of Object.entries({ old: "29 days 23 hours", older: "30 days 1 second" })) {
      await add(id, "bea", 0);
      await server.database.query("update tokens set expiration_date = now() - $2::interval where id = $1", [id, age]);
    }
    const { body } = await list({}, ofBea);
    expect(idsOf(body.tokens)).toEqual([expect.any(String), "old"]);
    expect(body.pagination.totalResult).toBe(2);
  });

  test("names a maker who was removed by the id alone, also when the id was used again", async () => {
    await server.database.load(
      user("maker", "acme", "Maker"),
      { administrator: { userId: "maker", instance: true, roles: ["IAM_OWNER"] } },
      user("made", "acme"),
    );
    const { token } = await created(server, await server.database.token("maker"), { userId: "made" });
    // The token itself would go with the one it was made with.
    await server.database.query("update tokens set made_with = null where user_id = 'made'");
    const maker = async () => (await listedTokens(server, token))[0].maker;
    expect(await maker()).toMatchObject({ id: "maker", displayName: "Maker", organizationId: "acme" });
    const gone = { id: "maker", preferredLoginName: "", displayName: "maker", avatarUrl: "", organizationId: "" };
    await apply(server, root, remove({ userId: "maker" }));
    expect(await maker()).toEqual(gone);
    await server.database.query(
      "update removed_things set last_directory_event = (select max(sequence) from directory_events) where id = 'maker'",
    );
    await server.database.load(user("maker", "acme", "Another"));
    expect(await maker()).toEqual(gone);
  });
});
