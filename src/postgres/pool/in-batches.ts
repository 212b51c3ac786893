import type pg from "pg";
import type { Statement } from "./prepared.ts";

const atOnce = 1_000;

/** Reads the rows of a query within the transaction of the client. A cursor keeps few of them in memory. */
export async function* inBatches<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { text, values }: Pick<Statement, "text" | "values">,
): AsyncGenerator<Row[]> {
  await client.query({ text: `declare batches no scroll cursor for ${text}`, values });
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${atOnce} from batches`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query("close batches");
}
