import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const sources = path.join(import.meta.dirname, "../src");
const read = (file: string) => readFileSync(path.join(sources, file), "utf8");

/** The stylesheets that dress each class: the element itself, not what is in another. */
function sheetsOfClasses(): Map<string, Set<string>> {
  const sheets = new Map<string, Set<string>>();
  for (const file of globSync("**/*.css", { cwd: sources })) {
    for (const [, name = ""] of read(file).matchAll(/^\s*\.([\w-]+)(?::[\w-]+(?:\([^)]*\))?)* \{/gm)) {
      sheets.set(name, (sheets.get(name) ?? new Set()).add(file));
    }
  }
  return sheets;
}

it("a class is dressed by one stylesheet, because they are loaded in any order and stay", () => {
  const shared = [...sheetsOfClasses()].filter(([, files]) => files.size > 1);
  expect(shared.map(([name, files]) => `${name}: ${[...files]}`)).toEqual([]);
});

/** A module with everything that comes with it. What is imported when it is needed comes later. */
function loadedWith(module: string, found = new Set<string>()): Set<string> {
  if (found.has(module)) return found;
  found.add(module);
  if (module.endsWith(".css")) return found;
  for (const [, file = ""] of read(module).matchAll(/(?:from|^import) "(\.[^"]+)";/gm)) {
    loadedWith(path.join(path.dirname(module), file), found);
  }
  return found;
}

it("a page comes with the stylesheets of its classes", () => {
  const sheets = sheetsOfClasses();
  const always = ["main.tsx", "show-console.tsx", "frame.tsx"].flatMap((first) => [...loadedWith(first)]);
  const isDressedBy = (name: string, loaded: ReadonlySet<string>) =>
    [...(sheets.get(name) ?? [])].some((file) => loaded.has(file));
  const missing = globSync("**/*-page.tsx", { cwd: sources }).flatMap((page) => {
    const loaded = new Set([...loadedWith(page), ...always]);
    const modules = [...loaded].filter((file) => file.endsWith(".tsx"));
    return modules.flatMap((module) =>
      [...read(module).matchAll(/className="([^"]+)"/g)]
        .flatMap(([, names = ""]) => names.split(" "))
        .filter((name) => sheets.has(name) && !isDressedBy(name, loaded))
        .map((name) => `${page}: ${name} of ${module} is dressed by ${[...(sheets.get(name) ?? [])]}`),
    );
  });
  expect(missing).toEqual([]);
});
