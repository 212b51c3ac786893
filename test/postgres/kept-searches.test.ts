import { expect, test } from "vitest";
import type { ListQuery } from "../../src/authorization/list.ts";
import type { Scope } from "../../src/authorization/permissions.ts";
import { listAuthorizations } from "../../src/postgres/list/list-authorizations.ts";
import { fewFound, fewInReach } from "../../src/postgres/list/search.ts";
import type { Database } from "../../src/postgres/pool/database.ts";
import type { Statement } from "../../src/postgres/pool/prepared.ts";
import { sessionSettings } from "../../src/postgres/pool/session.ts";
import { examine } from "../plans/explain.ts";
import { databaseOfTests, openForTests } from "../support/database.ts";

const common = fewFound + 40;
const large = 12 * fewInReach;
const small = 50;

/** The users of a large and a small organization, one assignment each. Every name is in both. */
const world = `
  insert into organizations values ('large', 'Large'), ('small', 'Small');
  insert into projects values ('p', 'large', 'P');
  insert into project_grants (id, project_id, owner_id, organization_id) values ('g', 'p', 'large', 'small');
  insert into users (id, organization_id, preferred_login_name, display_name, avatar_url)
  select 'u' || n, case when n <= ${large} then 'large' else 'small' end, 'u' || n,
    case when n % ${large} between 1 and 5 then 'Quentin ' when n % ${large} <= ${common} then 'Common ' else 'Other ' end || n, ''
  from generate_series(1, ${large + small}) n;
  insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, project_grant_id, creation_date, change_date)
  select 'a' || id, id, organization_id, 'p', organization_id, case organization_id when 'small' then 'g' else '' end, now(), now()
  from users;
  select recount_numbers();
  analyze`;

const database = await databaseOfTests();
await database.query(world);
const client = await database.connect();
await client.query(sessionSettings(60_000));
const service = openForTests(database.url, 1);

const instance: Scope = { kind: "instance", id: "" };
const inOrganization = (organizationId: string): Scope => ({ kind: "organization", id: organizationId });

test.each([
  { text: "entin", scope: instance, total: 10, rows: 200 },
  { text: "entin", scope: inOrganization("large"), total: 5, rows: 200 },
  { text: "entin", scope: inOrganization("small"), total: 5, rows: 400 },
  { text: "common", scope: inOrganization("small"), total: 45, rows: 800 },
  // It gives up, and the list is planned for the text.
  { text: "common", scope: instance, total: common - 4 + 45, rows: 1_000, isPlanned: true },
  { text: "common", scope: inOrganization("large"), total: common - 4, rows: 1_000, isPlanned: true },
])(
  "A search for %o finds everything, and examines few rows",
  async ({ text, scope, total, rows, isPlanned = false }) => {
    const match = { text, method: "contains", ignoreCase: true } as const;
    const query: ListQuery = {
      filters: [{ kind: "userDisplayName", match }],
      sort: { column: "userDisplayName", ascending: true },
      offset: 0n,
      limit: 1_000,
    };
    const visibility = { userId: "another", scopes: [scope] };
    const sent: Statement[] = [];
    const recording: Database = {
      ...service,
      query: (statement, signal) => {
        sent.push(statement as Statement);
        return service.query(statement, signal);
      },
    };
    const page = await listAuthorizations(recording)(visibility, query, new AbortController().signal);
    expect(page.total).toBe(total);
    expect(page.items).toHaveLength(total);
    expect(sent.map(({ name }) => name !== undefined)).toEqual(isPlanned ? [true, false] : [true]);

    const examined = await examine(client, sent[0] as Statement, true);
    expect(examined.rows, JSON.stringify(examined.scans)).toBeLessThan(rows);
  },
);
