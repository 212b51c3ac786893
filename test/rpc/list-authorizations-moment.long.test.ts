import { describe, expect, test } from "vitest";
import { appendEvents, removeAuthorizations } from "../support/append-events.ts";
import { serveSmallWorld } from "../support/server.ts";
import { whileRepeating } from "../support/while-repeating.ts";

const { server, root: token } = await serveSmallWorld();

describe("the page and the total of ListAuthorizations", () => {
  test("are of one moment, while others add and remove pairs all the time", async () => {
    const totals = await totalsWhileOthersWrite({ limit: 1_000 }, ({ pagination, authorizations }) => {
      const pair = authorizations.filter(({ id }: { id: string }) => id.startsWith("pair-"));
      expect(authorizations).toHaveLength(pagination.totalResult);
      // Both come with their role in one transaction, and leave in one.
      expect(pair.map(({ roles }: any) => roles.length)).toEqual(pair.length === 0 ? [] : [1, 1]);
    });
    expect(totals).toEqual([6, 8]);
  });

  test("are of one moment also where only one of the moments has a row", async () => {
    const totals = await totalsWhileOthersWrite({ offset: 6, limit: 1 }, ({ pagination, authorizations }) => {
      expect(authorizations).toHaveLength(pagination.totalResult === 8 ? 1 : 0);
    });
    expect(totals).toEqual([6, 8]);
  });
});

/** Checks many lists while a writer adds and removes two authorizations at once; answers the totals there were. */
async function totalsWhileOthersWrite(pagination: object, check: (body: any) => void): Promise<number[]> {
  const totals = new Set<number>();
  const write = (times: number) => server.database.query(times % 2 === 0 ? addPair : removePair);
  await whileRepeating(write, async () => {
    for (let round = 0; round < 100 || (totals.size < 2 && round < 5_000); round++) {
      const { body } = await server.call("ListAuthorizations", { pagination }, { token });
      check(body);
      totals.add(body.pagination.totalResult);
    }
  });
  await server.database.query(removePair);
  return [...totals].sort();
}

const addPair = `
  with added as (
    insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
    select 'pair-' || u.id, u.id, u.organization_id, 'depot', 'acme', '2020-01-01Z', '2020-01-01Z'
    from users u where u.id in ('ann', 'cid')
    returning *), roles as (
    insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
    select id, project_id, project_grant_id, 'keeper' from added)
  ${appendEvents(`
    select id, 'user.grant.added', change_date, null, user_id, project_id, organization_id, '', '{keeper}'::text[], state
    from added`)}`;

const removePair = removeAuthorizations("id like 'pair-%'", "user.grant.removed", "now()");
