import pg from "pg";
import type { Statement } from "../../src/postgres/pool/prepared.ts";

/** What a statement did. */
export type Examined = {
  /** Rows that scans of tables and indexes looked at, whether they kept them or not, and that joins compared in vain. */
  readonly rows: number;
  /** The scans that looked at most. */
  readonly scans: readonly Scan[];
  /** Pages of 8 kB that were looked at, each time anew. */
  readonly pages: number;
  readonly milliseconds: number;
  readonly listed: number;
};

export type Scan = { readonly name: string; readonly rows: number };

/** The parts of EXPLAIN's JSON that are read here. Rows are the average of a loop. */
export type PlanNode = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Rows Removed by Join Filter"?: number;
  /** Of all loops; absent before PostgreSQL 18. */
  readonly "Index Searches"?: number;
  /** Of all loops, and of what is below. */
  readonly "Shared Hit Blocks"?: number;
  readonly "Shared Read Blocks"?: number;
  readonly Plans?: readonly PlanNode[];
};

/**
 * Runs a statement as the service does: one with a name is planned without regard to its values, any other with them.
 *
 * @param named whether the service names it, which the statement alone does not tell once there are many
 */
export async function examine(client: pg.Client, { text, values }: Statement, named: boolean): Promise<Examined> {
  if (!named) return readPlan(await client.query({ text: `${explain} ${text}`, values }));
  return readPlan(await explainGeneric(client, { text, values }));
}

async function explainGeneric(client: pg.Client, { text, values }: Statement): Promise<pg.QueryResult> {
  await client.query("set plan_cache_mode = force_generic_plan");
  await client.query(`prepare examined as ${text}`);
  try {
    return await client.query(`${explain} execute examined (${values.map(literal).join(", ")})`);
  } finally {
    await client.query("deallocate examined");
    await client.query("reset plan_cache_mode");
  }
}

const explain = "explain (analyze, buffers, timing off, format json)";

function readPlan({ rows }: pg.QueryResult): Examined {
  const [{ Plan: plan, "Execution Time": milliseconds }] = rows[0]["QUERY PLAN"];
  const scans = scansOf(plan).sort((a, b) => b.rows - a.rows);
  return {
    rows: scans.reduce((sum, scan) => sum + scan.rows, 0),
    scans: scans.slice(0, 3),
    pages: pagesOf(plan),
    milliseconds,
    listed: plan["Actual Rows"],
  };
}

/** Every scan of a table or an index, and every join that compared rows in vain. What a bitmap is made from counts only where it found more than was then read. */
export function scansOf(node: PlanNode): Scan[] {
  const below = [...compared(node), ...(node.Plans ?? []).flatMap(scansOf)];
  const { "Node Type": type, "Relation Name": table, "Index Name": index } = node;
  const rows = Math.round(examinedBy(node));
  if (type === "Bitmap Heap Scan") {
    const inIndexes = below.reduce((sum, scan) => sum + scan.rows, 0);
    return [
      { name: `${type} on ${table} by ${below.map(({ name }) => name).join(", ")}`, rows: Math.max(rows, inIndexes) },
    ];
  }
  if (type === "Bitmap Index Scan") return [{ name: String(index), rows }];
  if (table === undefined) return below;
  return [...below, { name: `${type}${index === undefined ? "" : ` using ${index}`} on ${table}`, rows }];
}

function compared(node: PlanNode): Scan[] {
  const rows = Math.round((node["Rows Removed by Join Filter"] ?? 0) * node["Actual Loops"]);
  return rows === 0 ? [] : [{ name: `comparisons of a ${node["Node Type"]}`, rows }];
}

function examinedBy(node: PlanNode): number {
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const rows = (node["Actual Rows"] + removed) * node["Actual Loops"];
  // An index of the parts of texts reads lists that many texts share, thousands to a page: they are no rows.
  const ofParts = node["Index Cond"]?.includes(" ~~ ") ?? false;
  return node["Index Name"] === undefined || ofParts ? rows : Math.max(rows, entriesOf(node, rows));
}

/**
 * Entries of an index that did not match are in no number of EXPLAIN, but in the pages that were read: more than it takes
 * to find a place in the index each time, and then each row in its table.
 */
function entriesOf(node: PlanNode, rows: number): number {
  const below = (node.Plans ?? []).reduce((sum, child) => sum + pagesOf(child), 0);
  const searches = node["Index Searches"] ?? node["Actual Loops"];
  const inTable = node["Node Type"] === "Bitmap Index Scan" ? 0 : rows;
  return (pagesOf(node) - below - pagesOfSearch * searches - inTable) * entriesOfPage;
}

/** The levels of an index of some millions, and a neighbour. */
const pagesOfSearch = 5;
/** Of the indexes that have a UUID and something else, which are most of them. */
const entriesOfPage = 80;

function pagesOf(node: PlanNode): number {
  return (node["Shared Hit Blocks"] ?? 0) + (node["Shared Read Blocks"] ?? 0);
}

function literal(value: unknown): string {
  if (value === null) return "null";
  if (!Array.isArray(value)) return pg.escapeLiteral(String(value));
  return pg.escapeLiteral(
    `{${value.map((text) => (text === null ? "null" : JSON.stringify(String(text)))).join(",")}}`,
  );
}
