import { read } from "./repository.ts";

/** A fenced block of a page, without its indent. */
export type Block = {
  readonly language: string;
  readonly code: string;
  /** The name of the file that the text before the block says to save it as. */
  readonly saveAs?: string;
};

/** The blocks of a Markdown file of the repository, in order. */
export function blocksOf(file: string): Block[] {
  const text = read(file);
  let end = 0;
  return [...text.matchAll(/^( *)```(\w+)\n(.*?)^ *```$/gms)].map(
    ({ 0: all, 1: indent, 2: language = "", 3: its, index }) => {
      const [, saveAs] = /Save this as `([^`]+)`(?!.*Save this as)/s.exec(text.slice(end, index)) ?? [];
      end = index + all.length;
      const code = (its ?? "").replaceAll(new RegExp(`^${indent}`, "gm"), "");
      return saveAs === undefined ? { language, code } : { language, code, saveAs };
    },
  );
}

/** A how-to guide by its name, whose code is run. */
export function pageOf(name: string) {
  const blocks = blocksOf(`docs/how-to/${name}.md`);
  return {
    /** The lines of its shell blocks, each with the lines that continue it. */
    commands: () =>
      blocks.filter(({ language }) => language === "sh").flatMap(({ code }) => code.trim().split(/(?<!\\)\n/)),
    /** The content of a file, which the page tells its readers to save. */
    file(wanted: string) {
      const block = blocks.find(({ saveAs }) => saveAs === wanted);
      if (block === undefined) throw new Error(`${name} has no file ${wanted}`);
      return block.code;
    },
  };
}

/** Matches what a page shows as the output of a command. What it leaves out may be anything. */
export function outputLike(shown: string): RegExp {
  return new RegExp(`^${madeAlike(shown).split("…").map(RegExp.escape).join(".*")}$`, "s");
}

/** What is made when it is asked, or counts on, is another each time. */
export function madeAlike(output: string): string {
  return onOneLine(output)
    .replace(/"20(2[6-9]|[3-9]\d)-[^"]*Z"/g, '"now"')
    .replace(/"[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}"/g, '"id"')
    .replace(/"sequence":"\d+"/g, '"sequence":"next"');
}

/** JSON over several lines, as pages show it, becomes what a server sends. */
function onOneLine(output: string): string {
  return /^\{\s/.test(output) ? output.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, "$1") : output;
}
