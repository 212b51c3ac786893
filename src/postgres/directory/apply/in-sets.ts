import type { Connection } from "../../pool/database.ts";

/** The tables that are filled by changes of authorizations, and those of the events of the directory. */
const tables = `authorizations, authorization_roles, authorization_change_dates, events, directory_events,
  directory_event_places`;
const filled = `'{${tables}}'::regclass[]`;

/** True if there are no authorizations yet, and the user may alter the tables. */
export async function canWorkInSets(connection: Connection): Promise<boolean> {
  const [row] = await connection.query<{ can: boolean }>({
    text: `
      select not exists (select from authorizations) and bool_and(pg_has_role(relowner, 'usage')) as can
      from pg_class where oid = any(${filled})`,
    values: [],
  });
  return row?.can ?? false;
}

/**
 * Does work without the indexes, references and the trigger for numbers, because these take time for each row. They are
 * created again afterwards, in sets. No one else can read these tables until the transaction ends.
 */
export async function inSets(connection: Connection, work: () => Promise<void>): Promise<void> {
  const run = (statement: string) => connection.query({ text: statement, values: [] });
  await run(`lock table ${tables} in access exclusive mode`);
  const found = await connection.query<{ drop: string; make: string }>({ text: droppable, values: [] });
  for (const { drop } of found) await run(drop);
  await run("alter table events disable trigger events_keep_numbers");
  await work();
  await run("select restore_change_dates(), recount_numbers()");
  for (const { make } of found) await run(make);
  await run("alter table events enable trigger events_keep_numbers");
}

/** Indexes come first, because references are checked through them. */
const droppable = `
  select drop, make from (
    select 1 as place, format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
    from pg_index i
    where i.indrelid = any(${filled}) and not i.indisunique
    union all
    select 2, format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint
    where conrelid = any(${filled}) and contype = 'f') found
  order by place, drop`;
