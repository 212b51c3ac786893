import { expect, test } from "vitest";
import openApi from "../../gen/openapi.json" with { type: "json" };
import { pagePaths } from "../../src/console/console-files.ts";
import { read } from "../support/repository.ts";

const page = read("docs/reference/transport.md");

test("docs/reference/transport.md lists every service in its package", () => {
  const rows = [...page.matchAll(/^\| `(service\.[\w.]+)` \| (.*) \|$/gm)];
  const listed = rows.flatMap(([, name, services = ""]) =>
    [...services.matchAll(/`(\w+)`/g)].map(([, service]) => `${name}.${service}`),
  );
  const served = new Set(Object.keys(openApi.paths).map((path) => path.split("/")[1]));
  expect(listed.toSorted()).toEqual([...served].toSorted());
});

test("docs/reference/transport.md lists every page of the console", () => {
  const [, listed = ""] = /^- The console's pages are ([^.]*)\./m.exec(page) ?? [];
  expect([...listed.matchAll(/`([^`]+)`/g)].map(([, path]) => path)).toEqual(pagePaths);
});
