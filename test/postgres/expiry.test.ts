import sql from "sql-template-tag";
import { expect, test } from "vitest";
import { changeDateAt, isInForce, stateAt } from "../../src/postgres/pool/expiry.ts";
import { databaseOfTests } from "../support/database.ts";

const database = await databaseOfTests();
const end = "2024-02-01T00:00:00Z";
const [year, before, after] = ["2024-01-01T00:00:00Z", "2024-01-31T23:59:59.999999Z", "2024-02-01T00:00:00.000001Z"];

test.each<[string, { changed: string; at: string; ends: string | null }, { isActive: boolean; date: string }]>([
  [
    "is in force until a microsecond before its end",
    { changed: year, at: before, ends: end },
    { isActive: true, date: year },
  ],
  [
    "is over at its end, which is its change date",
    { changed: year, at: end, ends: end },
    { isActive: false, date: end },
  ],
  [
    "changed later than its end is dated right after",
    { changed: end, at: after, ends: end },
    { isActive: false, date: after },
  ],
  ["without an end is in force", { changed: year, at: after, ends: null }, { isActive: true, date: year }],
])("What %s", async (_, { changed, at, ends }, { isActive, date }) => {
  const a = sql`a`;
  const moment = sql`${at}::timestamptz`;
  const { text, values } = sql`
    select ${isInForce(a, moment)} as in_force, ${stateAt(a, moment)} as state,
      ${changeDateAt(a, moment)} = ${date}::timestamptz as is_date
    from (values ('active'::authorization_state, ${changed}::timestamptz, ${ends}::timestamptz, false))
      a (state, change_date, expiration_date, expired)`;
  const state = isActive ? "active" : "inactive";
  expect(await database.query(text, values)).toEqual([{ in_force: isActive, state, is_date: true }]);
});
