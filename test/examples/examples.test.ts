import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, test } from "vitest";
import { myRoles } from "../../client/examples/from-a-web-page.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { loadSmallWorld } from "../support/world.ts";

const root = join(import.meta.dirname, "../..");
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
  await loadSmallWorld(server.database);
});
afterAll(() => server.stop());

test("the program from-node prints what its caller sees", async () => {
  const env = { ...process.env, BASE_URL: server.url, TOKEN: await server.database.token("root") };
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, "client/examples/from-node.ts")], { env });
  expect(stdout.split("\n")[0]).toBe("4 authorizations for the Shop, the newest of them:");
  expect(stdout).toContain("bob of globex at Globex: auditor, seller\n");
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

test.each(["from-node.ts", "from-a-web-page.ts"])("the README shows examples/%s as it is", async (name) => {
  const [readme, example] = await Promise.all(
    ["README.md", `client/examples/${name}`].map((file) => readFile(join(root, file), "utf8")),
  );
  expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``);
});
