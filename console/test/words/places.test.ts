import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAst } from "vite";
import { expect, it } from "vitest";

// The rule is in CONTRIBUTING.md, where it speaks of the console's texts.

const source = path.join(import.meta.dirname, "../../src");

type Node = { readonly type: string; readonly [field: string]: unknown };

/** Attributes of elements and properties of components that people read or hear. */
const read = /^(aria-(label|description|valuetext|roledescription|placeholder)|title|placeholder|label|legend|alt)$/;

/** A word of a language, such as "Page", but not a name in code. */
const word = /^\p{Lu}\p{Ll}+$/u;
/** Words with spaces between or around them: a sentence, or a part of one. */
const words = /\p{L}{2,}[,.;:…]?\s|\s\p{L}{2,}/u;

/** What code and style sheets read: selectors and media queries, lengths, headers, commands, the name of a time zone. */
const code =
  /[[\]{}*]|textarea|\(m(ax|in)-width|max\(\d|^input, |^Bearer |npm run|^\S*@\S+ |^… UTC$|^\s*\(UTC\)\s*$|^role …$|^…-\w+ …-/;
/** Files whose texts programs read: the columns of the exported file, and the first calls as commands and code. */
const ofPrograms = ["export/rows.ts", "first-steps/lines.ts"];

/** Fields whose values only code compares. */
const compared = /^(queryKey|id|key|className|aria-describedby)$/;

/** What holds no texts for people: types, messages for developers, and what is only compared. */
function isExempt(node: Node): boolean {
  const { type, callee, name, key, operator } = node as Node & Record<"callee" | "name" | "key", { name?: string }>;
  if (type.startsWith("TS") && type !== "TSAsExpression" && type !== "TSSatisfiesExpression") return true;
  if (type.startsWith("Import") || type === "ThrowStatement") return true;
  if (type === "BinaryExpression") return operator === "===";
  if (type === "NewExpression") return /Error$/.test(callee.name ?? "");
  return (type === "JSXAttribute" || type === "Property") && compared.test((name ?? key).name ?? "");
}

/** The words for one and for several, such as ["role", "roles"]. */
function isPlural(node: Node): boolean {
  const [one, several, ...more] = valuesOf(node);
  return more.length === 0 && typeof one === "string" && several === `${one}s`;
}

function valuesOf({ elements }: Node): readonly unknown[] {
  return (elements as readonly ({ value?: unknown } | null)[]).map((element) => element?.value);
}

/** All texts below a node that only words/ may hold. */
function* textsIn(node: unknown, isRead = false): Generator<string> {
  if (Array.isArray(node)) for (const one of node) yield* textsIn(one, isRead);
  if (typeof node !== "object" || node === null || !("type" in node) || isExempt(node as Node)) return;
  const { type, value, quasis, name, raw } = node as Node & { quasis?: { value: { cooked: string } }[] };
  if (type === "JSXText" && /\p{L}/u.test(String(value)) && !code.test(String(value))) yield String(value).trim();
  if (type === "Literal" && typeof value === "string") {
    if ((words.test(value) && !code.test(value)) || (isRead && /\p{L}/u.test(value))) yield String(raw);
  }
  if (type === "ArrayExpression" && isPlural(node as Node))
    yield `one and several: ${JSON.stringify(valuesOf(node as Node))}`;
  if (type === "TemplateLiteral") {
    const text = quasis?.map(({ value: { cooked } }) => cooked).join("…") ?? "";
    if ((words.test(text) && !code.test(text)) || (isRead && word.test(text))) yield text;
  }
  const attribute = (name as { name?: unknown } | undefined)?.name;
  const isReadBelow = type === "JSXAttribute" ? read.test(String(attribute)) : false;
  for (const [field, below] of Object.entries(node)) if (field !== "quasis") yield* textsIn(below, isReadBelow);
}

function textsOf(file: string): string[] {
  const code = readFileSync(path.join(source, file), "utf8");
  return [...textsIn(parseAst(code, { lang: "tsx" }))].map((text) => `${file}: ${text}`);
}

it("all texts are in words/, ready for translation", () => {
  const files = globSync("**/*.{ts,tsx}", { cwd: source }).filter(
    (file) => !file.startsWith("words/") && !ofPrograms.includes(file),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap(textsOf)).toEqual([]);
});
