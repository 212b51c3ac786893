import { describe, expect, test } from "vitest";
import { entry } from "../support/changes.ts";
import { bodyOf, serveTests } from "../support/server.ts";
import { callTokens, created, listedTokens } from "../support/tokens.ts";

const tokens: Record<string, string> = {};

const server = await serveTests({ smallWorld: true });
await server.database.load(
  entry("ann", { instance: true }, "IAM_OWNER_VIEWER"),
  entry("bea", { organizationId: "globex" }, "ORG_OWNER"),
);
for (const id of ["root", "ann", "bob", "bea"]) tokens[id] = await server.database.token(id);

const of = (id: string) => tokens[id] ?? "";

async function eventsOf(tokenId: string, caller: string): Promise<any[]> {
  const request = { filters: [{ kinds: { kinds: ["token"] } }, { id: { id: tokenId } }], pagination: { asc: true } };
  const path = "directory.v1.DirectoryHistoryService/ListDirectoryEvents";
  return (await bodyOf(server.callService(path, request, { token: of(caller) }))).events;
}

describe("The history of a token", () => {
  test("is shown to its user and to an IAM_OWNER, and to no one else", async () => {
    const { id } = await created(server, of("root"), { userId: "bob", name: "a script", reason: "nightly" });
    const [listed] = await listedTokens(server, of("bob"));
    await callTokens(server, "RevokeToken", { id, reason: "done" }, of("bob"));
    const { creationDate, expirationDate } = listed;
    const token = { id, name: "a script", userId: "bob", makerId: "root", creationDate, expirationDate };
    for (const caller of ["bob", "root"]) {
      expect(await eventsOf(id, caller)).toMatchObject([
        { actor: { id: "root" }, reason: "nightly", time: creationDate, after: { token } },
        { actor: { id: "bob" }, reason: "done", before: { token } },
      ]);
    }
    for (const caller of ["ann", "bea"]) expect(await eventsOf(id, caller)).toEqual([]);
  });

  test("has the reason from the header, too", async () => {
    const headers = { "x-change-reason": "by%20header" };
    const options = { token: of("bob"), headers };
    const { body } = await server.callService("identity.v1.TokenService/CreateToken", {}, options);
    await server.callService("identity.v1.TokenService/RevokeToken", { id: body.id }, options);
    expect((await eventsOf(body.id, "bob")).map(({ reason }) => reason)).toEqual(["by header", "by header"]);
  });
});
