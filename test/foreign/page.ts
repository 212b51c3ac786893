import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./places.ts";

/** A how-to guide whose code is run. */
export type Page = {
  /** The lines of its shell blocks, each with the lines that continue it. */
  commands(): string[];
  /** The content of a file, which the page tells its readers to save. */
  file(name: string): string;
};

export function pageOf(name: string): Page {
  const text = readFileSync(path.join(root, `docs/how-to/${name}.md`), "utf8");
  const blocks = [...text.matchAll(/^( *)```(\w+)\n(.*?)^ *```$/gms)].map(([, indent = "", language, code = ""]) => ({
    language,
    code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  }));
  return {
    commands: () =>
      blocks.filter(({ language }) => language === "sh").flatMap(({ code }) => code.trim().split(/(?<!\\)\n/)),
    file(wanted) {
      const [, before, after = ""] =
        text.match(new RegExp(`^(.*Save this as \`${RegExp.escape(wanted)}\`.*?)\`\`\`(.*)$`, "s")) ?? [];
      const code = after.slice(after.indexOf("\n") + 1);
      const index = before === undefined ? -1 : [...before.matchAll(/^ *```/gm)].length / 2;
      const block = blocks[index];
      if (code === "" || block === undefined) throw new Error(`${name} has no file ${wanted}`);
      return block.code;
    },
  };
}
