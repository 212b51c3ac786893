import sql, { raw, type Sql } from "sql-template-tag";
import type { Instant, User } from "../../authorization/authorization.ts";
import { toRfc3339 } from "../../authorization/instant.ts";
import type { TokenPosition, TokenQuery, TokenRecord, TokenStore } from "../../identity/token-store.ts";
import { amongMatching, isBehindPage, orderBy, pageStatement, readPage } from "../page/page.ts";
import type { Database } from "../pool/database.ts";
import { primaryNow } from "../pool/primary-time.ts";
import { toUser, type UserFields, userFields } from "../seen/user-fields.ts";

export const listTokens =
  (database: Database): TokenStore["list"] =>
  async (query, signal) => {
    const [user] = await database.query<{ id: string; fields: UserFields }>(selectUser(query.userId), signal);
    if (user === undefined) return undefined;
    const owner = toUser(user.id, user.fields);
    const shown = {
      toItem: (row: TokenRow) => toRecord(row, owner),
      toPosition: ({ creationDate, id }: TokenRow): TokenPosition => ({ creationDate, id }),
    };
    return readPage(database, listStatement(query), shown, signal);
  };

/** Its columns are named like the fields of a token. */
export type TokenRow = Pick<TokenRecord, "id" | "name" | "creationDate"> & {
  /** Null for a token that never expires. */
  expirationDate: Instant | null;
  /** Null for a token that was never used. */
  lastUseDate: Instant | null;
  /** Null for the command line. */
  makerId: string | null;
  makerFields: UserFields | null;
};

function toRecord({ id, name, creationDate, makerId, makerFields, ...row }: TokenRow, user: User): TokenRecord {
  return {
    ...{ id, name, user, creationDate },
    expirationDate: row.expirationDate ?? undefined,
    lastUseDate: row.lastUseDate ?? undefined,
    maker: makerId === null ? undefined : toUser(makerId, makerFields),
  };
}

const selectUser = (userId: string) =>
  sql`select u.id, ${fieldsOf} as fields from users u where u.id = ${userId}::text`;

const fieldsOf = userFields(sql`u`, sql`true`);

/** How long expired tokens are listed. */
const afterExpiry = raw("interval '30 days'");

function listStatement(query: TokenQuery): Sql {
  const { userId, ascending, after } = query;
  const key = { key: sql`creation_date`, id: sql`id` };
  const end = after && { key: sql`${toRfc3339(after.creationDate)}::timestamptz`, id: sql`${after.id}::text` };
  const matching = sql`
      select id, creation_date from tokens
      where user_id = ${userId}::text
        and (expiration_date is null or expiration_date > ${primaryNow} - ${afterExpiry})`;
  const listing = {
    ...amongMatching(matching, false, isBehindPage(key, { ascending, after: end })),
    order: orderBy(key, ascending),
    listed: (page: Sql) => sql`
      select
        t.id, t.name, t.creation_date as "creationDate", t.expiration_date as "expirationDate",
        t.last_use_date as "lastUseDate", t.maker_id as "makerId", u.fields as "makerFields",
        row_number() over (order by ${orderBy({ key: sql`t.creation_date`, id: sql`t.id` }, ascending)}) as position
      from (${page}) page
      join tokens t on t.id = page.id
      left join lateral (select ${fieldsOf} as fields from users u where u.id = t.maker_id and ${isSameMaker}) u on true`,
  };
  return pageStatement(listing, query);
}

/** Whether the user who made a token `t` has not been removed since. A user may have the id of an earlier one. */
export const isSameMaker = raw(`not exists (
        select from removed_things r
        where r.kind = 'user' and r.id = t.maker_id and r.last_directory_event >= (
          select coalesce(max(e.sequence), 0) from kept_directory_events e where e.kind = 'token' and e.id = t.id and e.within = ''))`);
