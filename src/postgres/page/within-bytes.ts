import sql, { raw, type Sql } from "sql-template-tag";

/** How many bytes of texts a page may have. A server needs several times as much memory while it answers. */
const mostOfPage = 4 * 1_024 * 1_024;

/**
 * Ends a page before it gets too large, but not before its first row. Postgres adds up the bytes, so it doesn't send what
 * is not shown. The offset makes it compute each field once, not again for its bytes.
 *
 * @param listed selects the fields of the page's rows, with their `position`
 * @param bytes how many bytes the texts of a row `l` have
 */
export function withinBytes(listed: Sql, bytes: Sql, most = mostOfPage): Sql {
  return sql`
    select * from (
      select l.*, sum(${bytes}) over (order by l.position rows unbounded preceding) as bytes_until
      from (${listed} offset 0) l) l
    where position = 1 or bytes_until <= ${raw(String(most))}`;
}
