import { createHash } from "node:crypto";
import type pg from "pg";
import { prepared } from "./prepared.ts";

export type Entry = {
  organization_id: string | null;
  project_id: string | null;
  project_grant_id: string | null;
  roles: string[];
};
export type Caller = { userId: string; entries: Entry[] };

/** Who holds this bearer token, with its rights; undefined for a token that is not valid. */
export async function findCaller(pool: pg.Pool, header: string | undefined): Promise<Caller | undefined> {
  const token = /^Bearer (\S+)$/i.exec(header ?? "")?.[1];
  if (token === undefined) return undefined;
  const { rows } = await pool.query(prepared(selectCaller, [createHash("sha256").update(token).digest()]));
  return rows[0] && { userId: rows[0].user_id, entries: rows[0].entries };
}

const selectCaller = `
  select t.user_id, (
    select coalesce(json_agg(json_build_object(
      'organization_id', a.organization_id, 'project_id', a.project_id,
      'project_grant_id', a.project_grant_id, 'roles', a.roles)), '[]')
    from administrators a
    where a.user_id = t.user_id) as entries
  from tokens t
  where t.hash = $1 and (t.expiration_date is null or t.expiration_date > now())`;
