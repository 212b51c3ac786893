import sql, { raw, type Sql } from "sql-template-tag";
import { nextDate } from "./next-date.ts";

/*
 * How authorizations whose end has passed appear, though no one has written it yet. Reads take one moment, and show by it
 * what they find. Writers first write the ends of what they change (src/postgres/change/settle.ts), and don't need this.
 *
 * `as` names a row of authorizations.
 */

/** True for one that is due: active as stored, but its end is not after the moment. An index finds these. */
export function isDue(as: Sql, moment: Sql): Sql {
  return sql`(${as}.state = 'active' and ${as}.expiration_date is not null and ${as}.expiration_date <= ${moment})`;
}

export function isInForce(as: Sql, moment: Sql): Sql {
  return sql`(${as}.state = 'active' and (${as}.expiration_date <= ${moment}) is not true)`;
}

export function isInactive(as: Sql, moment: Sql): Sql {
  return sql`(${as}.state = 'inactive' or ${isDue(as, moment)})`;
}

export function stateAt(as: Sql, moment: Sql): Sql {
  return sql`case when ${isDue(as, moment)} then 'inactive' else ${as}.state end`;
}

export function isExpired(as: Sql, moment: Sql): Sql {
  return sql`(${as}.expired or ${isDue(as, moment)})`;
}

export function changeDateAt(as: Sql, moment: Sql): Sql {
  return sql`case when ${isDue(as, moment)} then ${dateOfEnd(as)} else ${as}.change_date end`;
}

/** The change date of one that ends: its end, or right after its last change if that was later. */
export function dateOfEnd(as: Sql): Sql {
  const { text } = as;
  return raw(nextDate(`${text}.expiration_date`, `${text}.change_date`));
}
