import type pg from "pg";
import type { PlacedChange } from "../../../directory/change.ts";
import type { Connection } from "../../pool/database.ts";
import { inTurn } from "../../pool/own-connection.ts";
import { noRows, type Relation, selectRelations } from "../stage/relations.ts";
import {
  type Cell,
  collectKinds,
  type StagedTable,
  stagedRow,
  stagedTables,
  tableOfChange,
} from "../stage/staged-rows.ts";
import { namedIn, type Stage, unnested } from "../stage/staging.ts";

/**
 * For imports of any number of changes, in any order. Inserts them into temporary tables as they come. Memory use is constant.
 *
 * @param client in a transaction, whose end drops the tables
 */
export async function stageInTables(
  client: pg.Client,
  changes: AsyncIterable<PlacedChange>,
  progress: (count: number) => void,
): Promise<Stage & { readonly count: number }> {
  await client.query([...[...stagedTables.values()].map(createTable), createRemovable].join(";\n"));
  const batches = new Map<StagedTable, { rows: Cell[][]; length: number }>();
  const kinds = collectKinds();
  let count = 0;
  for await (const placed of changes) {
    const table = tableOfChange(placed.change);
    kinds.add(placed.change);
    const batch = batches.getOrInsertComputed(table, () => ({ rows: [], length: 0 }));
    const row = stagedRow(table, placed);
    batch.rows.push(row);
    batch.length += row.join("").length;
    if (batch.length >= batchLength) {
      batches.delete(table);
      await insert(client, table, batch.rows);
    }
    count += 1;
    progress(count);
  }
  for (const [table, { rows }] of batches) await insert(client, table, rows);
  const many = count >= 10_000;
  const { query } = inTurn(client);
  const run = (text: string) => query({ text, values: [] });
  if (many) await run(`analyze ${[...stagedTables.keys()]}`);
  const relations = selectRelations(kinds);
  const tables = new Set(["removable", ...stagedTables.keys()]);
  const queryOf = (name: string) => (tables.has(name) ? "" : (relations[name as Relation] ?? noRows(name)));

  function find([name, text]: [string, string]): Promise<unknown>[] {
    if (tables.has(name)) return [];
    tables.add(name);
    const found = run(`create temporary table ${name} on commit drop as ${text}`);
    return many && name.startsWith("staged_") ? [found, run(`analyze ${name}`)] : [found];
  }

  const send: Connection["query"] = async (statement) => {
    const finding = [...namedIn(statement.text, queryOf)].flatMap(find);
    const [rows] = await Promise.all([query<never>(statement), ...finding]);
    return rows;
  };
  return {
    ...kinds,
    many,
    count,
    has: (relation) => relation in relations,
    query: send,
    async resolve() {
      await send({ text: "select from resolved_authorizations limit 0", values: [] });
    },
  };
}

/** How many characters are collected for one table before they are sent. */
const batchLength = 256 * 1024;

/** Imports may remove every token. */
const createRemovable =
  "create temporary table removable on commit drop as select true as is_everywhere, '{}'::text[] as organization_ids";

function createTable({ name, columns }: StagedTable): string {
  const typed = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
  return `create temporary table ${name} (${typed.join(", ")}) on commit drop`;
}

async function insert(client: pg.Client, table: StagedTable, rows: readonly Cell[][]): Promise<void> {
  const values: unknown[] = [];
  const select = unnested(table, rows)((value) => `$${values.push(value)}`);
  await client.query({ text: `insert into ${table.name} ${select}`, values });
}
