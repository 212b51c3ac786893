import type pg from "pg";
import { callHeaders } from "../../test/support/call-headers.ts";
import { withClient } from "../../test/support/with-client.ts";
import type { CallerKind, Callers } from "../callers.ts";
import type { Post } from "../load.ts";
import { selectNew } from "../world/new-assignments.ts";

export type Planned = {
  readonly name: string;
  readonly isChange: boolean;
  /** How many assignments one request changes. */
  readonly items: number;
  post(url: string): Post;
};

const batch = 100;

/** Everything is spread over the world, so that it finds few pages in memory that it has just used. */
export async function planRequests(world: pg.ClientConfig, callers: Callers): Promise<Planned[]> {
  const [existing, fresh] = await withClient(world, async (client) => [
    (await client.query<Existing>(selectExisting)).rows,
    (await client.query<{ item: object }>(selectNew, [40_000])).rows.map(({ item }) => item),
  ]);
  const third = Math.floor(existing.length / 3);
  const [updated, deleted, batched] = [0, third, 2 * third].map((from) => inTurn(existing.slice(from, from + third)));
  const created = inTurn(fresh);
  const checked = inTurn(existing);
  const searched = inTurn(existing);
  const plan = (name: string, kind: CallerKind, rpc: string, body: Post["body"], items = 0): Planned => ({
    ...{ name, isChange: items > 0, items },
    post: (url) => ({
      url: `${url}/service.authorization.v2.AuthorizationService/${rpc}`,
      headers: callHeaders(callers[kind].token),
      body,
    }),
  });
  const list = (limit: number) => Buffer.from(JSON.stringify({ pagination: { limit } }));
  const update = ({ id }: Existing) => ({ id, roleKeys: ["approver", "viewer"] });
  return [
    plan("short list", "own", "ListAuthorizations", list(10)),
    plan("page of 100", "large", "ListAuthorizations", list(100)),
    plan("check of a user's roles", "instance", "ListAuthorizations", () => {
      const { user_id, project_id } = checked() ?? missing();
      return JSON.stringify({ filters: [{ userId: { id: user_id } }, { projectId: { id: project_id } }] });
    }),
    // Rows of one user, whatever the size of the world.
    plan("search by a part of a login name", "instance", "ListAuthorizations", () => {
      const loginName = (searched() ?? missing()).login_name.slice(2);
      const method = "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE";
      return JSON.stringify({ filters: [{ userPreferredLoginName: { loginName, method } }] });
    }),
    plan("create", "instance", "CreateAuthorization", () => JSON.stringify(created() ?? missing()), 1),
    plan("update", "instance", "UpdateAuthorization", () => JSON.stringify(update(updated?.() ?? missing())), 1),
    plan("delete", "instance", "DeleteAuthorization", () => JSON.stringify({ id: (deleted?.() ?? missing()).id }), 1),
    plan(
      `update in a batch of ${batch}`,
      "instance",
      "BatchUpdateAuthorizations",
      () => JSON.stringify({ items: Array.from({ length: batch }, () => update(batched?.() ?? missing())) }),
      batch,
    ),
  ];
}

type Existing = {
  readonly id: string;
  readonly user_id: string;
  readonly project_id: string;
  readonly login_name: string;
};

function inTurn<T>(all: readonly T[]): () => T | undefined {
  let count = 0;
  return () => all[count++];
}

function missing(): never {
  throw new Error("the world has too few assignments for so many requests");
}

/** None of these has the roles that updates give. */
const selectExisting = `
  select a.id, user_id, project_id, preferred_login_name as login_name from (
    select id, user_id, project_id
    from authorizations tablesample bernoulli (least(100, 100 * 250000 / (select greatest(reltuples, 1) from pg_class where oid = 'authorizations'::regclass)))
    where state = 'active') a
  join users u on u.id = user_id
  order by md5(a.id)`;
