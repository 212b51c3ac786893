import { describe, expect, test } from "vitest";
import { hold } from "../support/locks.ts";
import { serveTests } from "../support/server.ts";
import { type Created, callTokens, created, expire, listedTokens, statusWith } from "../support/tokens.ts";

const server = await serveTests({ smallWorld: true, metrics: false });
const ann = await server.database.token("ann");

/** How old the last use is that callers see, in seconds. Undefined if there is none. */
async function ageOf({ id }: Created): Promise<number | undefined> {
  const token = (await listedTokens(server, ann)).find((each) => each.id === id);
  const [{ now }] = (await server.database.query("select extract(epoch from clock_timestamp())::float8 as now")) as [
    { now: number },
  ];
  return token.lastUseDate && now - Date.parse(token.lastUseDate) / 1_000;
}

async function usedBefore({ id }: Created, interval: string): Promise<void> {
  await server.database.query("update tokens set last_use_date = now() - $2::interval where id = $1", [id, interval]);
}

/** Changes with every write of the row. */
const versionOf = async ({ id }: Created) =>
  (await server.database.query<{ xmin: string }>("select xmin::text from tokens where id = $1", [id]))[0]?.xmin;

describe("The last use of a token", () => {
  test("is stored for many tokens at once, later than the request", async () => {
    const [used, unused] = [await created(server, ann), await created(server, ann)];
    const before = await versionOf(used);
    for (let request = 0; request < 20; request += 1) expect(await statusWith(server, used.token)).toBe(200);
    expect(await versionOf(used)).toBe(before);
    expect(await ageOf(used)).toBeUndefined();
    await server.storeTokenUses();
    expect(await ageOf(used)).toBeLessThan(60);
    expect(await ageOf(used)).toBeGreaterThanOrEqual(-0.01);
    expect(await ageOf(unused)).toBeUndefined();
  });

  test("is written again only when the stored one is three minutes old", async () => {
    const token = await created(server, ann);
    await usedBefore(token, "2 minutes 50 seconds");
    const before = await versionOf(token);
    await statusWith(server, token.token);
    await server.storeTokenUses();
    expect(await versionOf(token)).toBe(before);
    await usedBefore(token, "3 minutes 10 seconds");
    await statusWith(server, token.token);
    await server.storeTokenUses();
    expect(await ageOf(token)).toBeLessThan(60);
  });

  test("is not moved back by a server that stores an earlier one", async () => {
    const token = await created(server, ann);
    await statusWith(server, token.token);
    await usedBefore(token, "-1 hour");
    await server.storeTokenUses();
    expect(await ageOf(token)).toBeLessThan(-3_500);
  });

  test("is not changed by a request that is refused, as it has expired", async () => {
    const token = await created(server, ann);
    await expire(server, token.id);
    expect(await statusWith(server, token.token)).toBe(401);
    await server.storeTokenUses();
    expect(await ageOf(token)).toBeUndefined();
  });

  test("waits for no lock, and is stored the next time", async () => {
    const [locked, other] = [await created(server, ann), await created(server, ann)];
    for (const { token } of [locked, other]) await statusWith(server, token);
    const held = await hold(server.database, "select from tokens where id = $1 for key share", [other.id]);
    await held.query("select from tokens where id = $1 for update", [locked.id]);
    await server.storeTokenUses();
    expect(await ageOf(other)).toBeLessThan(60);
    expect(await ageOf(locked)).toBeUndefined();
    await held.commit();
    await server.storeTokenUses();
    expect(await ageOf(locked)).toBeLessThan(60);
  });

  test("of a token that was revoked is forgotten", async () => {
    const token = await created(server, ann);
    await statusWith(server, token.token);
    expect((await callTokens(server, "RevokeToken", { id: token.id }, ann)).status).toBe(200);
    await server.storeTokenUses();
  });

  test("is no event", async () => {
    const token = await created(server, ann);
    await statusWith(server, token.token);
    await server.storeTokenUses();
    expect(await server.database.query("select from directory_events where id = $1", [token.id])).toHaveLength(1);
  });
});
