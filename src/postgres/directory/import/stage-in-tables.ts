import { finished } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
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
import { namedIn, type Stage } from "../stage/staging.ts";

/**
 * For imports of any number of changes, in any order. Streams them into temporary tables with COPY. Memory use is constant.
 *
 * @param client in a transaction, whose end drops the tables
 */
export async function stageInTables(
  client: pg.Client,
  changes: AsyncIterable<PlacedChange> | Iterable<PlacedChange>,
  progress: (count: number) => void,
): Promise<Stage & { readonly count: number }> {
  await client.query([...[...stagedTables.values()].map(createTable), createRemovable].join(";\n"));
  const batches = new Map<StagedTable, { lines: string[]; length: number }>();
  const kinds = collectKinds();
  let count = 0;
  for await (const placed of changes) {
    const table = tableOfChange(placed.change);
    kinds.add(placed.change);
    const batch = batches.getOrInsertComputed(table, () => ({ lines: [], length: 0 }));
    const line = stagedRow(table, placed).map(encode).join("\t");
    batch.lines.push(line);
    batch.length += line.length;
    if (batch.length >= batchLength) {
      batches.delete(table);
      await copy(client, table, batch.lines);
    }
    count += 1;
    progress(count);
  }
  for (const [table, { lines }] of batches) await copy(client, table, lines);
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

async function copy(client: pg.Client, { name }: StagedTable, lines: string[]): Promise<void> {
  const stream = client.query(copyFrom(`copy ${name} from stdin`));
  stream.end(`${lines.join("\n")}\n`);
  await finished(stream);
}

/** COPY's text format: tabs, line ends and backslashes are escaped, a missing value is \N. */
function encode(cell: Cell): string {
  return cell === undefined ? "\\N" : cell.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character);
}

const escapes: Record<string, string> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };
