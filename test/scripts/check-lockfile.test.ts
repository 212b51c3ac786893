import { expect, test } from "vitest";
import { lockfileProblems } from "../../scripts/check-lockfile.ts";

const complete = {
  packages: {
    "": {},
    "node_modules/tool": { optionalDependencies: { "tool-linux-x64-musl": "1.2.3", nested: "1.2.3" } },
    "node_modules/tool/node_modules/nested": {},
    "node_modules/tool-linux-x64-musl": {},
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

test("an optional dependency without an entry is missing", () => {
  const { "node_modules/tool-linux-x64-musl": _, ...packages } = complete.packages;
  expect(lockfileProblems({}, { packages })).toEqual([
    "package-lock.json lacks node_modules/tool-linux-x64-musl: run node scripts/complete-lockfile.cjs.",
  ]);
});

test("an entry in the folder of another package does not count", () => {
  const packages = {
    ...complete.packages,
    "node_modules/other": { optionalDependencies: { "nested-win32-x64": "1.2.3" } },
  };
  expect(
    lockfileProblems({}, { packages: { ...packages, "node_modules/tool/node_modules/nested-win32-x64": {} } }),
  ).toEqual(["package-lock.json lacks node_modules/nested-win32-x64: run node scripts/complete-lockfile.cjs."]);
});

test("the address a package was fetched from is a problem", () => {
  const packages = { "node_modules/tool": { resolved: "https://example.org/tool.tgz" } };
  expect(lockfileProblems({}, { packages })).toEqual([
    'package-lock.json says where node_modules/tool was fetched: remove "resolved".',
  ]);
});

test("a folder of the repository is linked, and one outside of it is not", () => {
  const packages = { ...complete.packages, client: {}, "node_modules/ours": { resolved: "client", link: true } };
  expect(lockfileProblems({ devDependencies: { ours: "file:client" } }, { packages })).toEqual([]);
  expect(lockfileProblems({ devDependencies: { ours: "file:../client" } }, { packages })).toEqual([
    "package.json wants ours file:../client: write an exact version.",
  ]);
});
