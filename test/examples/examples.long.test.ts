import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { Code, type Transport } from "@connectrpc/connect";
import { expect, onTestFinished, test } from "vitest";
import { lastRemovedAuthorizations, whatIMay } from "../../client/examples/for-a-console.ts";
import { myRoles } from "../../client/examples/from-a-web-page.ts";
import { entry } from "../support/changes.ts";
import { transportWith } from "../support/copies.ts";
import { read, root } from "../support/repository.ts";
import { serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true });

/** Runs a program of the examples as root. */
async function run([name = "", ...args]: string[], env: Record<string, string> = {}) {
  const all = { ...process.env, BASE_URL: server.url, TOKEN: await server.database.token("root"), ...env };
  return promisify(execFile)(process.execPath, [join(root, "client/examples", name), ...args], { env: all });
}

test("the program from-node prints what its caller sees", async () => {
  const { stdout } = await run(["from-node.ts"]);
  expect(stdout.split("\n")[0]).toBe("4 assignments in the Shop, the newest of them:");
  expect(stdout).toContain("bob of globex at Globex: auditor, seller\n");
});

test("the program give-a-role gives a user a role, and adds it to those that are there", async () => {
  const give = (...args: string[]) => run(["give-a-role.ts", ...args]);
  const expectRefused = (args: string[], stderr: string) =>
    expect(give(...args)).rejects.toMatchObject({ code: 1, stderr });
  const [{ preferred_login_name: login = "" } = {}] = await server.database.query<{ preferred_login_name: string }>(
    "select preferred_login_name from users where id = 'bea'",
  );
  expect((await give(login, "Shop", "seller")).stdout).toBe(`${login} is now seller in Shop.\n`);
  expect((await give(login, "Shop", "auditor")).stdout).toBe(`${login} is now auditor, seller in Shop.\n`);
  await expectRefused(["no-one", "Shop", "seller"], "No user has the login name no-one.\n");
  await expectRefused([login, "Nothing", "seller"], expect.any(String));
  const unknownRole = expect.stringMatching(/^\[failed_precondition\] roleKeys: .*king.*\n$/);
  await expectRefused([login, "Shop", "king"], unknownRole);
  await server.database.load({ user: { id: "bea-2", organizationId: "acme", preferredLoginName: login } });
  await expectRefused([login, "Shop", "seller"], `Several users have the login name ${login}.\n`);
});

test.each([
  ["the port", { BASE_URL: "http://127.0.0.1:9" }, /^\[unavailable\] .*ECONNREFUSED 127\.0\.0\.1:9\n$/],
  ["the token", { TOKEN: "authz_wrong" }, /^\[unauthenticated\] .+\n$/],
])("the programs end with one line where %s is wrong", async (_, wrong, line) => {
  for (const args of [["from-node.ts"], ["give-a-role.ts", "bea", "Shop", "seller"]]) {
    await expect(run(args, wrong)).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(line) });
  }
});

test("the program keep-a-copy follows changes", async () => {
  const token = await server.database.token("root");
  const env = { ...process.env, BASE_URL: server.url, TOKEN: token };
  const child = spawn(process.execPath, [join(root, "client/examples/keep-a-copy.ts")], { env, stdio: "pipe" });
  onTestFinished(() => void child.kill());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const applying = async () =>
    /^(\d+) of \d+ assignments in the Shop apply$/.exec((await lines.next()).value ?? "")?.[1];
  const before = Number(await applying());
  await server.call("DeactivateAuthorization", { id: "a6" }, { token });
  expect(await applying()).toBe(String(before - 1));
  await server.call("ActivateAuthorization", { id: "a6" }, { token });
});

test("the function from-a-web-page gives the caller's own roles that are in force", async () => {
  const of = async (userId: string, organizationId: string) =>
    myRoles(server.url, await server.database.token(userId), { userId, projectId: "shop", organizationId });
  expect(await of("ann", "acme")).toEqual(["owner", "seller"]);
  expect(await of("bob", "globex")).toEqual(["auditor", "seller"]);
  expect(await of("bea", "globex")).toEqual([]);
  const at = { userId: "ann", projectId: "shop", organizationId: "acme" };
  await expect(myRoles(server.url, "nonsense", at)).rejects.toMatchObject({ code: Code.Unauthenticated });
});

test("the function whatIMay for a console says what the caller may do, and where", async () => {
  await server.database.load(
    entry("cid", { instance: true }, "IAM_OWNER_VIEWER"),
    entry("cid", { organizationId: "acme" }, "ORG_OWNER"),
    entry("cid", { projectId: "depot" }, "PROJECT_OWNER"),
    entry("cid", { projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER"),
  );
  expect(await whatIMay(await transportOf("cid"))).toEqual([
    "cid of initech: user.grant.read: everywhere, Acme, Depot, Shop at Globex",
    "cid of initech: user.grant.write: Acme, Depot, Shop at Globex",
    "cid of initech: user.grant.delete: Acme, Depot, Shop at Globex",
    "cid of initech: org.write: Acme",
    "cid of initech: user.write: Acme",
    "cid of initech: project.write: Acme, Depot",
    "cid of initech: project.role.write: Acme, Depot",
    "cid of initech: project.grant.write: Acme, Depot",
    "cid of initech: administrator.write: Acme, Depot, Shop at Globex",
  ]);
});

test("the function lastRemovedAuthorizations for a console says whose were removed, and by whom", async () => {
  const token = await server.database.token("root");
  const place = { userId: "cid", projectId: "shop", organizationId: "acme" };
  const { body } = await server.call("CreateAuthorization", place, { token });
  await server.call("DeleteAuthorization", { id: body.id }, { token });
  expect(await lastRemovedAuthorizations(await transportOf("root"))).toEqual([
    expect.stringMatching(/^20[-\dT:.]+Z: cid of initech in Shop, by root of \w+$/),
  ]);
});

test.each([
  ["README.md", "from-node.ts"],
  ["client/README.md", "from-a-web-page.ts"],
  ["client/README.md", "for-a-console.ts"],
  ["client/README.md", "keep-a-copy.ts"],
])("%s shows examples/%s as it is", (file, name) => {
  expect(read(file)).toContain(`\`\`\`ts\n${read(`client/examples/${name}`)}\`\`\``);
});

async function transportOf(userId: string): Promise<Transport> {
  return transportWith(server.url, await server.database.token(userId));
}
