/** A table without the columns that have nothing in them. */
export function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const used = head.map((_, index) => rows.some((row) => row[index] !== ""));
  const asRow = (cells: readonly string[]) => `| ${cells.filter((_, index) => used[index]).join(" | ")} |`;
  return [asRow(head), asRow(head.map(() => "---")), ...rows.map(asRow)].join("\n").replaceAll(/ {2,}\|/g, " |");
}

/** The proto files name pages by their paths. */
export function withLinks(text: string): string {
  const link = (_: string, page: string) => `[${page.replaceAll("-", " ")}](../${page}.md)`;
  return text.replaceAll(/docs\/reference\/([\w-]+)\.md/g, link);
}
