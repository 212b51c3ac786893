import { randomInt } from "node:crypto";
import { describe, expect, test } from "vitest";
import { entry } from "../support/changes.ts";
import { serveTests } from "../support/server.ts";
import { callTokens, created, listedTokens, statusWith } from "../support/tokens.ts";

const tokens: Record<string, string> = {};

const server = await serveTests({ smallWorld: true });
await server.database.load(
  entry("ann", { instance: true }, "IAM_OWNER_VIEWER"),
  entry("bob", { organizationId: "globex" }, "ORG_OWNER"),
);
for (const id of ["root", "ann", "bob", "cid"]) tokens[id] = await server.database.token(id);

const of = (id: string) => tokens[id] ?? "";
const permissionsWith = async (token: string) =>
  (await server.callService("authorization.v2.CallerService/GetCaller", {}, { token })).body;

test("A chain of tokens never outlives its first one, whatever lifetimes are asked for", async () => {
  const first = await created(server, of("cid"), { lifetime: "3000s" });
  const chain = [first];
  for (let link = 0; link < 20; link += 1) {
    const parent = chain[randomInt(chain.length)] ?? first;
    const lifetime = `${randomInt(1_000, 31_622_400)}s`;
    const { status, body } = await callTokens(server, "CreateToken", { lifetime, userId: "cid" }, parent.token);
    expect(status).toBe(200);
    expect(Date.parse(body.expirationDate)).toBeLessThanOrEqual(Date.parse(parent.expirationDate));
    expect(body.shortened).toBe(body.expirationDate === parent.expirationDate);
    chain.push(body);
  }
  expect(await callTokens(server, "RevokeToken", { id: first.id }, of("cid"))).toMatchObject({
    body: { revoked: 21 },
  });
  for (const { token } of chain) expect(await statusWith(server, token)).toBe(401);
});

describe("A token gives the rights of its user, and none of its maker", () => {
  test("if an IAM_OWNER makes it for someone with fewer", async () => {
    const { token } = await created(server, of("root"), { userId: "cid" });
    expect(await permissionsWith(token)).toEqual(await permissionsWith(of("cid")));
    for (const userId of ["root", "ann"]) {
      expect((await callTokens(server, "CreateToken", { userId }, token)).status).toBe(403);
      expect((await callTokens(server, "ListTokens", { userId }, token)).status).toBe(403);
    }
  });

  test.each(["ann", "bob", "cid"])("and %s gets none of an IAM_OWNER by any call of TokenService", async (id) => {
    const [ofRoot] = await listedTokens(server, of("root"));
    const calls = await Promise.all([
      callTokens(server, "CreateToken", { userId: "root" }, of(id)),
      callTokens(server, "ListTokens", { userId: "root" }, of(id)),
      callTokens(server, "RevokeToken", { id: ofRoot.id }, of(id)),
    ]);
    expect(calls.map(({ status }) => status)).toEqual([403, 403, 404]);
    expect(await statusWith(server, of("root"))).toBe(200);
    const own = await created(server, of(id));
    expect(await permissionsWith(own.token)).toEqual(await permissionsWith(of(id)));
  });
});
