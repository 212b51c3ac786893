/** One line for each row of a table that Markdown would not show in its table. The pages are given by their paths. */
export function brokenTables(pages: ReadonlyMap<string, string>): string[] {
  return [...pages].flatMap(([file, text]) => {
    let fence: string | undefined;
    let columns = 0;
    const lines = text.split("\n");
    return lines.flatMap((line, index) => {
      const [, mark] = /^ *(`{3,}|~{3,})/.exec(line) ?? [];
      if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
        fence = fence === undefined ? mark : undefined;
      }
      if (fence !== undefined || !/^ *\|/.test(line)) {
        columns = 0;
        return [];
      }
      const cells = cellsOf(line);
      if (columns === 0) {
        columns = cells;
        const isHead =
          /^ *\|( *:?-+:? *\|)+ *$/.test(lines[index + 1] ?? "") && cellsOf(lines[index + 1] ?? "") === cells;
        return isHead
          ? []
          : [
              `${file}:${index + 1}: this row belongs to no table: the line before it ends one, or no line of dashes follows`,
            ];
      }
      return cells === columns ? [] : [`${file}:${index + 1}: this row has ${cells} cells, and its table ${columns}`];
    });
  });
}

/** Also in code, a pipe ends a cell unless it is escaped. */
function cellsOf(row: string): number {
  return row.trim().replaceAll(/\\./g, "").replace(/^\|/, "").replace(/\|$/, "").split("|").length;
}
