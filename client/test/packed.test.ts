import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestServer, type TestServer } from "../../test/support/server.ts";
import { loadSmallWorld } from "../../test/support/world.ts";
import { type Bundle, bundle, openPage } from "./browser.ts";
import { createProject, type Project } from "./empty-project.ts";

const root = path.join(import.meta.dirname, "../..");
const origin = "https://shop.example";
let server: TestServer;
let folder: string;
let project: Project;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ corsOrigins: [origin] });
  await loadSmallWorld(server.database);
  token = await server.database.token("root");
  folder = await mkdtemp(path.join(tmpdir(), "client-project-"));
  project = await createProject(folder);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await server?.stop();
});

describe("The tarball", () => {
  test("holds JavaScript, its types, a README and the licence, and nothing else", async () => {
    const endings = project.packed.map((file) => /\.d\.ts$|\.\w+$|^LICENSE$/.exec(file)?.[0] ?? file);
    expect([...new Set(endings)].sort()).toEqual([".d.ts", ".js", ".json", ".md", "LICENSE"]);
    expect(project.packed.filter((file) => /\.(json|md)$/.test(file))).toEqual(["README.md", "package.json"]);
    const [mine, theirs] = await Promise.all(
      ["node_modules/@authorization-service/client/LICENSE", path.join(root, "LICENSE")].map((file) =>
        readFile(path.resolve(project.folder, file), "utf8"),
      ),
    );
    expect(mine).toBe(theirs);
  });

  test("needs @bufbuild/protobuf, and brings nothing of the server along", async () => {
    const manifest = path.join(project.folder, "node_modules/@authorization-service/client/package.json");
    const { dependencies, peerDependencies } = JSON.parse(await readFile(manifest, "utf8"));
    expect(Object.keys({ ...dependencies, ...peerDependencies })).toEqual(["@bufbuild/protobuf"]);
    expect([...project.installed].sort()).toEqual([
      "@authorization-service/client",
      "@bufbuild/protobuf",
      "@connectrpc/connect",
      "@connectrpc/connect-node",
      "@connectrpc/connect-web",
      "@types/node",
      "undici-types",
    ]);
  });
});

describe("From Node", () => {
  test.each(["json", "proto"])("plain JavaScript changes and reads in %s", async (format) => {
    expect(JSON.parse(await project.node("test/project/call.js", [server.url, token, format]))).toEqual({
      contentTypes: [`application/${format}`],
      total: 1,
      listed: [[true, "Mia", "Seller", 2]],
      error: ["AlreadyExists", [["AUTHORIZATION_EXISTS", true]]],
      administrators: [["root", "instance"]],
      caller: [
        "root",
        [
          ...["user.grant.read", "user.grant.write", "user.grant.delete", "org.write", "user.write", "project.write"],
          ...["project.role.write", "project.grant.write", "administrator.write", "directory.write"],
        ],
      ],
      explained: [false, [true, true, true]],
    });
  });

  test("the example from-node runs as it is", async () => {
    const said = await project.node("examples/from-node.ts", [], { BASE_URL: server.url, TOKEN: token });
    expect(said).toContain("bob of globex at Globex: auditor, seller\n");
  });
});

describe("From a browser", () => {
  type Page = typeof import("./project/page.ts");
  let bundled: Bundle;
  beforeAll(async () => {
    bundled = await bundle(project.folder, "test/project/page.ts");
  });

  test("the example from-a-web-page answers the caller's own roles", async () => {
    const page = openPage<Page>(bundled, origin);
    const ann = await server.database.token("ann");
    expect([
      ...(await page.myRoles(server.url, ann, { userId: "ann", projectId: "shop", organizationId: "acme" })),
    ]).toEqual(["owner", "seller"]);
  });

  test("binary and the reason of a refusal arrive", async () => {
    const page = openPage<Page>(bundled, origin);
    expect([...(await page.deleteNothing(server.url, token))]).toEqual(["NotFound", "AUTHORIZATION_NOT_FOUND"]);
  });

  test("a page of an origin that is not listed reads nothing", async () => {
    const page = openPage<Page>(bundled, "https://evil.example");
    await expect(
      page.myRoles(server.url, token, { userId: "ann", projectId: "shop", organizationId: "acme" }),
    ).rejects.toThrow("Failed to fetch");
  });

  test("the bundle, Connect and protobuf included, has less than 40 kB gzipped", () => {
    expect(bundled.gzippedBytes).toBeLessThan(40_000);
  });
});

describe("TypeScript", () => {
  test.each([
    { module: "nodenext", moduleResolution: "nodenext" },
    { module: "esnext", moduleResolution: "bundler" },
  ])("checks every program and every declaration with moduleResolution $moduleResolution", async (resolution) => {
    const compilerOptions = {
      ...resolution,
      target: "esnext",
      lib: ["esnext", "dom"],
      types: ["node"],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
      allowImportingTsExtensions: true,
      checkJs: true,
      noEmit: true,
      skipLibCheck: false,
    };
    const file = path.join(project.folder, `tsconfig.${resolution.moduleResolution}.json`);
    await writeFile(file, JSON.stringify({ compilerOptions, include: ["examples", "test"] }));
    const tsc = path.join(root, "node_modules/.bin/tsc");
    const checked = promisify(execFile)(tsc, ["-p", file, "--listFiles"]).catch((error) => error);
    const lines: string[] = (await checked).stdout.split("\n");
    expect(lines.filter((line) => line.includes("error TS"))).toEqual([]);
    for (const name of [
      "call.js",
      "page.ts",
      "types.ts",
      "from-node.ts",
      "for-a-console.ts",
      "client/directory.d.ts",
    ]) {
      expect(lines.filter((line) => line.endsWith(`/${name}`))).toHaveLength(1);
    }
  });
});
