import { describe, expect, test } from "vitest";
import { administrator } from "../support/assign.ts";
import { bodyOf, serveSmallWorld } from "../support/server.ts";
import { user } from "../support/world.ts";

const { server, root } = await serveSmallWorld();
await server.database.load(
  { organization: { id: "zoë", name: "Zoë’s Bäckerei–Süd" } },
  { project: { id: "cafe", organizationId: "zoë", name: "Café (intern)" } },
  user("müller", "acme", "Jörg Müller"),
  user("duval", "acme", "Duval, Marie"),
  user("paris", "zoë", "Duval, Paris"),
  user("istanbul", "acme", "İpek ΟΔΥΣΣΕΥΣ"),
  { user: { id: "login", organizationId: "acme", preferredLoginName: "anna-lena.o'neil@mail.example" } },
);

async function find(rpc: "Users" | "Projects" | "Organizations", text: string, { token = root, ...rest } = {}) {
  const request = { filters: [{ search: { text } }], ...rest };
  const body = await bodyOf(server.callDirectory(`List${rpc}`, request, { token }));
  const found: string[] = body[rpc.toLowerCase()].map(({ id }: { id: string }) => id);
  expect(body.pagination.totalResult).toBe(found.length);
  return found;
}

describe("A search", () => {
  test.each([
    ["muller", ["müller"]],
    ["MÜLL", ["müller"]],
    ["Mu\u0308ller", ["müller"]],
    ["marie du", ["duval"]],
    ["du, (par)", ["paris"]],
    ["duval", ["duval", "paris"]],
    ["ipek", ["istanbul"]],
    ["οδυσσευς", ["istanbul"]],
    ["anna lena neil mail", ["login"]],
    ["marie duval@acme", ["duval"]],
    ["uval", []],
    ["marie paris", []],
    ["% _ \\ ' : & ! <->", []],
    ["du'val:*|x", []],
  ])("for %j finds people by the beginnings of words, whatever case and accents: %j", async (text, expected) => {
    expect(await find("Users", text)).toEqual(expected);
  });

  test("finds organizations, projects and what can be assigned by the words of their names", async () => {
    expect(await find("Organizations", "sud zoe")).toEqual(["zoë"]);
    expect(await find("Organizations", "ackerei")).toEqual([]);
    expect(await find("Projects", "INTERN cafe")).toEqual(["cafe"]);
    expect(await find("Projects", "inter cafe", { assignable: true } as object)).toEqual(["cafe"]);
    expect(await find("Projects", "fe", { assignable: true } as object)).toEqual([]);
  });

  test("finds only what the caller sees, and users elsewhere only by their exact id or login name", async () => {
    const token = await administrator(server.database, { organizationId: "acme", roles: ["ORG_OWNER"] });
    expect(await find("Users", "duval", { token })).toEqual(["duval"]);
    expect(await find("Users", "paris@zoë.example", { token })).toEqual([]);
    expect(await find("Organizations", "zoe", { token })).toEqual([]);
    expect(await find("Projects", "cafe", { token })).toEqual([]);
  });

  test("finds words that are longer than Postgres keeps by their beginning", async () => {
    // Each becomes three characters of four bytes.
    const name = "\u{1d161}".repeat(200);
    await server.database.load(user("notes", "acme", name));
    expect(await find("Users", name)).toEqual(["notes"]);
    expect(await find("Users", name.slice(0, 10))).toEqual(["notes"]);
  });

  test("takes a text of 1 to 200 characters", async () => {
    expect(await find("Users", "é".repeat(200))).toEqual([]);
    for (const rpc of ["ListUsers", "ListProjects", "ListOrganizations"]) {
      for (const text of ["", "a".repeat(201)]) {
        const { status, body } = await server.callDirectory(rpc, { filters: [{ search: { text } }] }, { token: root });
        expect([status, body.code]).toEqual([400, "invalid_argument"]);
        expect(body.details[0].type).toBe("buf.validate.Violations");
        expect(body.message).toContain("filters[0].search.text");
      }
    }
  });
});
