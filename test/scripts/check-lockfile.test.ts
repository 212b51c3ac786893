import { expect, test } from "vitest";
import { lockfileProblems } from "../../scripts/check-lockfile.ts";

const integrity = `sha512-${"A".repeat(86)}==`;

const complete = {
  packages: {
    "": {},
    "node_modules/tool": { integrity, optionalDependencies: { "tool-linux-x64-musl": "1.2.3", nested: "1.2.3" } },
    "node_modules/tool/node_modules/nested": { integrity },
    "node_modules/tool-linux-x64-musl": { integrity },
  },
};

test("a complete lockfile and exact versions are no problem", () => {
  const manifest = { dependencies: { tool: "1.2.3" }, devDependencies: { older: "npm:@scope/tool@1.2.3-beta.4" } };
  expect(lockfileProblems(manifest, complete)).toEqual([]);
});

test.each(["^1.2.3", "~1.2.3", "1.2", "*", "latest", "npm:tool@^1.2.3", "git+https://example.org/tool.git"])(
  "the version %s is not exact",
  (version) => {
    expect(lockfileProblems({ optionalDependencies: { tool: version } }, complete)).toEqual([
      `package.json wants tool ${version}: write an exact version.`,
    ]);
  },
);

type Packages = Parameters<typeof lockfileProblems>[1]["packages"];
const { "node_modules/tool-linux-x64-musl": _, ...withoutMusl } = complete.packages;

test.each<[what: string, packages: Packages, problem: string]>([
  [
    "an optional dependency without an entry",
    withoutMusl,
    "package-lock.json lacks node_modules/tool-linux-x64-musl: run node scripts/complete-lockfile.cjs.",
  ],
  [
    "one with an entry in the folder of another package",
    {
      "node_modules/other": { integrity, optionalDependencies: { "nested-win32-x64": "1.2.3" } },
      "node_modules/tool/node_modules/nested-win32-x64": { integrity },
    },
    "package-lock.json lacks node_modules/nested-win32-x64: run node scripts/complete-lockfile.cjs.",
  ],
  [
    "the address a package was fetched from",
    { "node_modules/tool": { integrity, resolved: "https://example.org/tool.tgz" } },
    'package-lock.json says where node_modules/tool was fetched: remove "resolved".',
  ],
])("a problem is %s", (_what, packages, problem) => {
  expect(lockfileProblems({}, { packages })).toEqual([problem]);
});

test("a folder of the repository is linked, and one outside of it is not", () => {
  const packages = { ...complete.packages, client: {}, "node_modules/ours": { resolved: "client", link: true } };
  expect(lockfileProblems({ devDependencies: { ours: "file:client" } }, { packages })).toEqual([]);
  expect(lockfileProblems({ devDependencies: { ours: "file:../client" } }, { packages })).toEqual([
    "package.json wants ours file:../client: write an exact version.",
  ]);
});

const foreign = { dev: true, optional: true };

test.each([
  ["none", {}],
  ["an empty one", { integrity: "" }],
  ["a short one", { integrity: "sha512-AAAA" }],
  ["a weak one", { integrity: `sha1-${"A".repeat(27)}=` }],
  ["none, and is for development", foreign],
])("a package must have a hash: %s", (_, entry) => {
  for (const place of ["node_modules/tool", "node_modules/other/node_modules/tool"]) {
    expect(lockfileProblems({}, { packages: { [place]: entry } })).toEqual([
      `package-lock.json has no sha512 hash for ${place}: npm view NAME@VERSION dist.integrity prints it.`,
    ]);
  }
});

test("a listed package for development may lack its hash", () => {
  expect(lockfileProblems({}, { packages: { "node_modules/tool": foreign } }, ["tool"])).toEqual([]);
});

test.each([{}, { optional: true }, { dev: true }, { devOptional: true, optional: true }])(
  "a listed package that is not optional and for development alone must have a hash: %j",
  (entry) => {
    expect(lockfileProblems({}, { packages: { "node_modules/tool": entry } }, ["tool"])).toEqual([
      "node_modules/tool is not an optional package for development alone: it must have a hash.",
    ]);
  },
);

test.each(["tool-linux", "scope/tool", "TOOL", "too"])("a list with %s does not admit tool", (name) => {
  const problems = lockfileProblems({}, { packages: { "node_modules/tool": foreign } }, [name]);
  expect(problems[0]).toMatch("no sha512 hash for node_modules/tool");
});

test.each([
  ["has a hash", { "node_modules/tool": { ...foreign, integrity } }],
  ["is gone", {}],
])("a listed package that %s needs no exception", (_, packages) => {
  expect(lockfileProblems({}, { packages }, ["tool"])).toEqual([
    "scripts/check-lockfile.ts lists node_modules/tool, which needs no exception: remove it from the list.",
  ]);
});
