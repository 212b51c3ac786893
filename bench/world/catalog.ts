import type pg from "pg";

/**
 * Drops what makes loading these tables slow and no reference needs: secondary indexes and unique constraints. Resolves
 * to what makes them again, from their definitions in the catalog, so that the schema can change without this file.
 */
export async function dropSlowing(client: pg.Client, tables: string[]): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ drop: string; create: string }>(selectSlowing, [tables]);
  for (const { drop } of rows) await client.query(drop);
  return async () => {
    for (const { create } of rows) await client.query(create);
  };
}

/** Copies the rows of a staging table into a table: the columns both have, in the order they lie in. */
export async function fillFrom(client: pg.Client, source: string, target: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(selectCommonColumns, [source, target]);
  const columns = rows.map((row) => row.name).join(", ");
  await client.query(`insert into ${target} (${columns}) select ${columns} from ${source}`);
}

// Constraints first: a foreign key names the index of the unique constraint it relies on, and that one stays.
const selectSlowing = `
  select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
    format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as create
  from pg_constraint c
  where c.conrelid = any($1::regclass[]) and c.contype = 'u'
    and not exists (select from pg_constraint f where f.contype = 'f' and f.conindid = c.conindid)
  union all
  select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
  from pg_index i
  where i.indrelid = any($1::regclass[])
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`;

const selectCommonColumns = `
  select t.attname as name
  from pg_attribute t
  join pg_attribute s on s.attrelid = $1::regclass and s.attname = t.attname and s.attnum > 0 and not s.attisdropped
  where t.attrelid = $2::regclass and t.attnum > 0 and not t.attisdropped and t.attgenerated = ''
  order by t.attnum`;
