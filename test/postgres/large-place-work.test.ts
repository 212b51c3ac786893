import { expect, test } from "vitest";
import { prepare } from "../../src/postgres/change/what-decides.ts";
import { checkStaged } from "../../src/postgres/directory/apply-changes.ts";
import { stageInParameters } from "../../src/postgres/directory/staging.ts";
import type { Statement } from "../../src/postgres/pool/prepared.ts";
import { sessionSettings } from "../../src/postgres/pool/session.ts";
import { examine } from "../plans/explain.ts";
import { databaseOfTests } from "../support/database.ts";

/** As long as ids of users may be: the index that begins with them is the higher one. */
const idOfUser = (n: string) => `rpad('u' || ${n}, 150, '_')`;

/** Half of all assignments are in one place, the others in one each, so Postgres expects few in any place. */
const world = `
  insert into organizations select 'o' || n, 'O' from generate_series(0, 4000) n;
  insert into projects select 'p' || n, 'o' || n, 'P' from generate_series(0, 4000) n;
  insert into project_grants select 'g' || n, 'p' || n, 'o0', 'o' || n from generate_series(1, 4000) n;
  insert into project_roles (project_id, key, display_name, group_name) values ('p0', 'seller', '', '');
  insert into users select ${idOfUser("n")}, 'o' || n, 'u', '', '' from generate_series(0, 4000) n;
  insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
  select 'a' || n, ${idOfUser("n")}, 'o' || n, 'p0', 'o0', now(), now() from generate_series(1, 3900) n
  union all
  select 'b' || n, ${idOfUser("n")}, 'o' || n, 'p' || n, 'o' || n, now(), now() from generate_series(1, 4000) n;
  analyze`;

const database = await databaseOfTests();
await database.query(world);
const client = await database.connect();
await client.query(sessionSettings(60_000));

/** Assignments of a hundred users who have none in the large place. */
const wanted = Array.from({ length: 100 }, (_, n) => ({
  id: `new${n}`,
  userId: `u${3_901 + n}`.padEnd(150, "_"),
  roleKeys: ["seller"],
}));

test("What ApplyChanges checks of an assignment doesn't read the place it is put in", async () => {
  const dates = { creationDate: 0n, changeDate: 0n, expirationDate: undefined };
  const created = { state: "active" as const, expired: false, ...dates };
  const changes = wanted.map((one, position) => ({
    position,
    change: { kind: "authorization" as const, ...one, projectId: "p0", organizationId: "o0", ...created },
  }));
  const sent: Statement[] = [];
  const query = async ({ text, values }: Statement) => {
    sent.push({ text, values });
    return [];
  };
  await checkStaged(stageInParameters({ query }, changes));
  const [checks] = sent;
  for (const planned of [false, true]) {
    const { rows, scans } = await examine(client, checks as Statement, planned);
    // Eight checks, each of which finds a few rows of what an assignment refers to.
    expect(rows, JSON.stringify(scans)).toBeLessThan(8 * 100 * 10);
  }
});

test.each([true, false])("Nor does what a create looks up, planned for anyone: %s", async (named) => {
  const asked = Array.from({ length: 100 }, (_, n) => ({
    id: `new${n}`,
    userId: `u${3_901 + n}`.padEnd(150, "_"),
    projectId: "p0",
    organizationId: "o0",
    roleKeys: ["seller"],
    ending: undefined,
  }));
  const { text, values } = prepare(asked);
  const { rows, scans } = await examine(client, { text, values }, named);
  expect(rows, JSON.stringify(scans)).toBeLessThan(100 * 10);
});
