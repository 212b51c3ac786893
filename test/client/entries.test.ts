import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";

const client = path.join(import.meta.dirname, "../../client");
const entries = ["index", "directory"];

const read = (file: string) => readFile(path.join(client, file), "utf8");

test("every generated module is exported by one entry of the client package", async () => {
  const generated = (await readdir(path.join(client, "gen"), { recursive: true })).filter((file) =>
    file.endsWith(".js"),
  );
  const texts = await Promise.all(entries.map((entry) => read(`${entry}.js`)));
  const exported = [...texts.join("").matchAll(/^export \* from "\.\/gen\/(.+)";$/gm)].map(([, file]) => file);
  expect(exported.sort()).toEqual(generated.sort());
});

test.each(entries)("the declarations of the entry %s say what its JavaScript says", async (entry) => {
  expect(await read(`${entry}.d.ts`)).toBe(await read(`${entry}.js`));
});

test("the client package has the version of the service", async () => {
  const [mine, service] = await Promise.all(["package.json", "../package.json"].map(read));
  expect(JSON.parse(mine ?? "").version).toBe(JSON.parse(service ?? "").version);
});
