/** The example of each RPC in docs/reference/rpcs.md, with links as from a page one folder deeper, and the rules it names. */
export type Example = { readonly rules: string | undefined; readonly text: string };

export function readExamples(page: string): Map<string, Example> {
  const chapters = page.split(/^## /m).slice(1);
  return new Map(
    chapters.map((chapter) => {
      const [name = "", ...lines] = deeper(chapter).split("\n");
      const [, rules, text = ""] = /^(?:Rules: ([^\n]*?)\.\s+)?(.*)$/s.exec(lines.join("\n").trim()) ?? [];
      return [name, { rules, text }];
    }),
  );
}

/** A row of the table in docs/reference/errors.md. */
export type ErrorRow = { readonly reason: string; readonly rpcs: string; readonly cells: readonly string[] };

export function readErrors(page: string): ErrorRow[] {
  return [...page.matchAll(/^\|(.*)\|$/gm)].map(([, row = ""]) => {
    const [reason = "", when = "", rpcs = "", code = "", metadata = ""] = row.split("|").map((cell) => cell.trim());
    return { reason: reason.replaceAll("`", ""), rpcs, cells: [reason, deeper(when), code, metadata] };
  });
}

function deeper(text: string): string {
  return text.replaceAll(/\]\((?=[\w.])(?!https?:)/g, "](../").replaceAll("](#", "](../rpcs.md#");
}
