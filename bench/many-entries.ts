// Measures what 10,000 administrator entries that others gave to a caller cost it: lists by that caller, in turns with the
// same lists by a caller with ten entries who sees the same rows. Over HTTP, on an embedded PostgreSQL.
//
//   npm run bench:many-entries -- --rounds 60

import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { newToken } from "../src/identity/tokens.ts";
import { callHeaders } from "../test/support/call-headers.ts";
import { startCommand } from "../test/support/command.ts";
import { onScratchPostgres } from "../test/support/scratch-postgres.ts";
import { withClient } from "../test/support/with-client.ts";
import { ask, type Post } from "./load.ts";
import { describeMachine } from "./machine.ts";
import { table } from "./report.ts";
import { median } from "./statistics.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "60" }, only: { type: "string", default: "" } },
});
const rounds = Number(values.rounds);

/** Everyone has entries on nine organizations with assignments. These come on top. */
const callers = {
  ten: "a tenth, on the organization with the empty projects",
  projects: "10,000 on empty projects of that organization",
  spread: "10,000 on empty projects of 500 organizations",
  organizations: "10,000 on empty organizations",
} as const;
type CallerName = keyof typeof callers;
const rivals: readonly CallerName[] = ["projects", "spread", "organizations"];

const lists = "authorization.v2.AuthorizationService/ListAuthorizations";
const administrators = "directory.v1.DirectoryService/ListAdministrators";
const directory = "directory.v1.DirectoryService";
const role = { roleKey: { key: "role-3", method: "TEXT_FILTER_METHOD_EQUALS" } };
const requests: Record<string, readonly [rpc: string, request: object]> = {
  "ListAuthorizations, 1 row": [lists, { pagination: { limit: 1 } }],
  "ListAuthorizations, 100 rows": [lists, { pagination: { limit: 100 } }],
  "ListAuthorizations, without the total": [lists, { pagination: { limit: 100, skipTotal: true } }],
  "ListAuthorizations, by state": [lists, { filters: [{ state: { state: "STATE_ACTIVE" } }] }],
  "ListAuthorizations, by role": [lists, { filters: [role] }],
  "ListAuthorizations, by project name": [lists, { sortingColumn: "AUTHORIZATION_FIELD_NAME_PROJECT_NAME" }],
  ListAuthorizationEvents: ["authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents", {}],
  GetOverview: ["authorization.v2.OverviewService/GetOverview", {}],
  "ListAdministrators, all": [administrators, {}],
  "ListAdministrators, all, 1 row": [administrators, { pagination: { limit: 1 } }],
  "ListAdministrators, of an organization": [administrators, { organizationId: "o3" }],
  "ListAdministrators, of a user": [administrators, { userId: "u17" }],
  "ListAdministrators, by role": [administrators, { role: "ORG_OWNER" }],
  ListUsers: [`${directory}/ListUsers`, { pagination: { limit: 100 } }],
  "ListUsers, by part of a name": [
    `${directory}/ListUsers`,
    { filters: [{ name: { text: "n 77", method: "TEXT_FILTER_METHOD_CONTAINS" } }] },
  ],
  ListProjects: [`${directory}/ListProjects`, { pagination: { limit: 100 } }],
  ListOrganizations: [`${directory}/ListOrganizations`, { pagination: { limit: 100 } }],
};

/** 100 organizations with 1,000 projects, 20,000 users, 100,000 assignments and 40,000 entries. */
const world = [
  "set session_replication_role = replica",
  "insert into organizations select 'o' || n, 'Organization ' || n from generate_series(0, 99) n",
  "insert into organizations values ('empty', 'Empty')",
  "insert into organizations select 'e' || n, 'Empty ' || n from generate_series(0, 9999) n",
  "insert into users select 'u' || n, 'o' || n % 100, 'user ' || n, 'Person ' || n, '' from generate_series(0, 19999) n",
  `insert into users select name, 'o99', name, name, '' from unnest('{ten,projects,spread,organizations}'::text[]) name`,
  "insert into projects select 'p' || n, 'o' || n % 100, 'Project ' || n from generate_series(0, 999) n",
  "insert into projects select 'x' || n, 'empty', 'Empty project ' || n from generate_series(0, 9999) n",
  "insert into projects select 'y' || n, 'e' || n % 500, 'Spread project ' || n from generate_series(0, 9999) n",
  `insert into project_roles select 'p' || n, 'role-' || k, '', '' from generate_series(0, 999) n, generate_series(0, 9) k`,
  `insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date,
     user_name)
   select 'a' || n, 'u' || n % 20000, 'o' || n % 20000 % 100, 'p' || n / 20000 * 100 + n % 100, 'o' || n % 100,
     timestamptz '2024-01-01' + n * interval '1 minute', timestamptz '2024-01-01' + n * interval '1 minute',
     'person ' || n % 20000
   from generate_series(0, 99999) n`,
  `insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
   select id, project_id, '', 'role-' || length(id) * 7 % 10 from authorizations`,
  `insert into events (authorization_id, type, time, user_id, project_id, organization_id, project_grant_id, role_keys, state,
     creation_date, request_id)
   select id, 'user.grant.added', creation_date, user_id, project_id, organization_id, '', '{}', 'active', creation_date,
     gen_random_uuid()
   from authorizations`,
  "select recount_numbers(), restore_change_dates()",
  "set session_replication_role = origin",
  `insert into administrators (user_id, project_id, roles)
   select 'u' || n % 20000, 'p' || n % 999, '{PROJECT_OWNER_VIEWER}' from generate_series(0, 39999) n
   on conflict do nothing`,
  `insert into administrators (user_id, organization_id, roles)
   select 'u' || n, 'o' || n % 100, '{ORG_OWNER}' from generate_series(0, 999) n`,
  `insert into administrators (user_id, organization_id, roles)
   select name, 'o' || n, '{ORG_OWNER_VIEWER}'
   from unnest('{ten,projects,spread,organizations}'::text[]) name, generate_series(1, 9) n`,
  "insert into administrators (user_id, organization_id, roles) values ('ten', 'empty', '{ORG_OWNER_VIEWER}')",
  "insert into administrators (user_id, project_id, roles) select 'projects', id, '{PROJECT_OWNER_VIEWER}' from projects where id like 'x%'",
  "insert into administrators (user_id, project_id, roles) select 'spread', id, '{PROJECT_OWNER_VIEWER}' from projects where id like 'y%'",
  "insert into administrators (user_id, organization_id, roles) select 'organizations', id, '{ORG_OWNER_VIEWER}' from organizations where id like 'e%' and id <> 'empty'",
  "vacuum analyze",
];

await onScratchPostgres(async (database) => {
  const url = await database("many_entries");
  const tokens = await makeWorld(url);
  const env = { DATABASE_URL: url, PORT: "0", MIGRATE: "false", LOG_LEVEL: "warn" };
  const server = startCommand(["start"], { env });
  const address = /http:\/\/127\.0\.0\.1:\d+/;
  const base = address.exec(await server.until("stdout", address))?.[0] ?? "";
  try {
    const lines: string[][] = [];
    for (const [name, [rpc, request]] of Object.entries(requests)) {
      if (!name.includes(values.only)) continue;
      const times = await measure(base, rpc, request, tokens);
      const line = [name, `${times.ten.toFixed(1)} ms`];
      for (const rival of rivals) line.push(`${times[rival].toFixed(1)} ms, ${(times[rival] / times.ten).toFixed(2)}`);
      console.log(line.join(" | "));
      lines.push(line);
    }
    if (values.only === "") await writeFile(path.join(import.meta.dirname, "MANY-ENTRIES.md"), render(lines));
  } finally {
    server.process.kill();
    await server.ended;
  }
});

async function makeWorld(url: string): Promise<Record<CallerName, string>> {
  return withClient({ connectionString: url }, async (client) => {
    for (const statement of world) {
      await client.query(statement).catch((error) => {
        throw new Error(statement, { cause: error });
      });
    }
    const tokens: Record<string, string> = {};
    for (const name of Object.keys(callers)) {
      const { token, hash } = newToken();
      await client.query("insert into tokens (id, user_id, hash) values ($1, $1, $2)", [name, hash]);
      tokens[name] = token;
    }
    return tokens as Record<CallerName, string>;
  });
}

/** The median time of each caller, in turns. */
async function measure(base: string, rpc: string, request: object, tokens: Record<CallerName, string>) {
  const posts = Object.entries(tokens).map(([name, token]): [string, Post] => [
    name,
    {
      url: `${base}/service.${rpc}`,
      headers: callHeaders(token),
      body: Buffer.from(JSON.stringify(request)),
    },
  ]);
  const times: Record<string, number[]> = {};
  for (let round = 0; round < rounds + 5; round += 1) {
    for (const [name, post] of round % 2 === 0 ? posts : posts.toReversed()) {
      const started = performance.now();
      await ask(post);
      // The first ones warm up.
      if (round >= 5) times[name] = [...(times[name] ?? []), performance.now() - started];
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)])) as Record<
    CallerName,
    number
  >;
}

function render(lines: readonly string[][]): string {
  return `${[
    "# Many entries",
    `Written by \`npm run bench:many-entries\`: how long lists take for callers with 10,000 administrator entries that others
gave them, in turns with a caller who has ten entries and sees the same rows. After each median is how many times that
of the caller with ten.`,
    `- 100,000 assignments, 20,000 users and 40,000 entries of others; all callers have entries on nine organizations
- ${describeMachine()}; medians of ${rounds} requests over HTTP`,
    Object.entries(callers)
      .map(([name, what]) => `- ${name}: ${what}`)
      .join("\n"),
    table(["", "ten", ...rivals], lines),
  ].join("\n\n")}\n`;
}
