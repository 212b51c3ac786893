/** Words of the inside that no caller has to hear: of SQL and Postgres, of Node, of files, of tables. */
const words = [
  ...["select ", "insert into", "delete from", "update set", "sqlstate", "syntax error", "relation ", "pg_"],
  ...["postgres", "violates", "constraint", "duplicate key", "deadlock", "invalid byte", 'encoding "utf8"'],
  ...["node_modules", "node:", ".ts:", ".js:", "file://", "/src/", "/home/", "at async", "typeerror", "rangeerror"],
  ...["econn", "enoent", "fst_", "err_", "hpe_", "undefined", "[object ", "stack", "errno", "authorization_roles"],
];

/** A word of the inside that an error shows though nobody sent it; errors repeat what was sent. */
export function shownInside(error: string, sent: Buffer, plain: Uint8Array | undefined): string | undefined {
  const said = error.toLowerCase();
  const found = words.filter((word) => said.includes(word));
  if (found.length === 0) return undefined;
  const heard = `${sent.toString("utf8")}${Buffer.from(plain ?? []).toString("utf8")}`.toLowerCase();
  const word = found.find((each) => !heard.includes(each));
  return word === undefined ? undefined : `an error that shows the inside: ${JSON.stringify(word)}`;
}
