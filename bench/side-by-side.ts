// Measures what other organizations notice of an owner who repeats its largest change: their rate of small directory changes,
// of assignment changes and of lists, alone and beside it, through a server on an embedded PostgreSQL.
//
//   npm run bench:side-by-side -- --rows 100000 --rounds 3 --seconds 8

import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type pg from "pg";
import { openEmbeddedPostgres } from "../src/embedded/embedded-postgres.ts";
import { newToken } from "../src/identity/tokens.ts";
import { migrate } from "../src/postgres/database/migrations.ts";
import { withClient } from "../test/support/with-client.ts";
import { startServer } from "./processes.ts";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "8" },
  },
});
const [rows, rounds, seconds] = [Number(values.rows), Number(values.rounds), Number(values.seconds)];
/** Each is the owner of an organization of its own, and sends one request after the other. */
const others = 4;

const agent = new Agent({ keepAlive: true });

/**
 * In organization o0, a project with a role that everyone holds, and a thousand users with a hundred assignments each. In
 * every other one, a project with twenty users. Resolves to the tokens of the organizations' owners.
 */
async function makeWorld(connection: pg.ClientConfig): Promise<string[]> {
  return withClient(connection, async (client) => {
    for (const statement of [
      // What is made here is right; checking every reference would take most of the time.
      "set session_replication_role = replica",
      "insert into organizations select 'o' || n, 'Organization ' || n from generate_series(0, 99) n",
      `insert into users select 'v' || n, 'o0', 'v ' || n, 'V ' || n, '' from generate_series(0, ${rows} - 1) n`,
      "insert into users select 'u' || n, 'o0', 'u ' || n, 'U ' || n, '' from generate_series(0, 999) n",
      `insert into users select 'w' || o || '-' || n, 'o' || o, 'w ' || n, 'W ' || n, ''
       from generate_series(1, 99) o, generate_series(0, 19) n`,
      `insert into users select 'owner' || o, 'o' || o, 'owner ' || o, 'Owner ' || o, '' from generate_series(0, 99) o`,
      "insert into projects values ('large', 'o0', 'Large')",
      "insert into projects select 'q' || n, 'o0', 'Project ' || n from generate_series(0, 99) n",
      "insert into projects select 'p' || o, 'o' || o, 'Project ' || o from generate_series(1, 99) o",
      "insert into project_roles select p.id, k, '', '' from projects p, unnest(array['first', 'second']) k",
      `insert into authorizations (id, user_id, user_organization_id, user_name, project_id, organization_id, creation_date, change_date)
       select 'large-' || n, 'v' || n, 'o0', 'v ' || n, 'large', 'o0', now(), now() from generate_series(0, ${rows} - 1) n
       union all
       select 'many-' || n || '-' || q, 'u' || n, 'o0', 'u ' || n, 'q' || q, 'o0', now(), now()
       from generate_series(0, 999) n, generate_series(0, 99) q
       union all
       select 'few-' || o || '-' || n, 'w' || o || '-' || n, 'o' || o, 'w ' || n, 'p' || o, 'o' || o, now(), now()
       from generate_series(1, 99) o, generate_series(0, 19) n`,
      `insert into authorization_roles select a.id, a.project_id, '', k
       from authorizations a, unnest(array['first', 'second']) k`,
      `insert into administrators (user_id, organization_id, roles)
       select 'owner' || o, 'o' || o, '{ORG_OWNER}' from generate_series(0, 99) o`,
      "set session_replication_role = origin",
      "select restore_change_dates(), recount_numbers()",
      "vacuum analyze",
      "checkpoint",
    ]) {
      await client.query(statement);
    }
    const tokens: string[] = [];
    for (let organization = 0; organization <= others; organization += 1) {
      const { token, hash } = newToken();
      const values = [randomUUID(), `owner${organization}`, hash];
      await client.query("insert into tokens (id, user_id, hash) values ($1, $2, $3)", values);
      tokens.push(token);
    }
    return tokens;
  });
}

type Call = (rpc: string, body: object) => Promise<void>;
type Work = (call: Call, organization: number, count: number) => Promise<void>;

const apply = (call: Call, ...changes: object[]) => call("directory.v1.DirectoryService/ApplyChanges", { changes });

/** What the other organizations do. */
const small: Record<string, Work> = {
  "directory changes": (call, o, n) => apply(call, { user: person(`w${o}-${n % 20}`, `o${o}`, `Name ${n}`) }),
  "assignment changes": (call, o, n) =>
    call("authorization.v2.AuthorizationService/UpdateAuthorization", {
      id: `few-${o}-${n % 20}`,
      roleKeys: Math.floor(n / 20) % 2 ? ["first", "second"] : ["first"],
    }),
  lists: (call) => call("authorization.v2.AuthorizationService/ListAuthorizations", { pagination: { limit: 20 } }),
};

const role = { projectId: "large", key: "second" };

/** What the owner of o0 repeats. */
const large: Record<string, (call: Call, count: number) => Promise<void>> = {
  "a thousand users with a hundred assignments each renamed": (call, n) =>
    apply(call, ...Array.from({ length: 1_000 }, (_, u) => ({ user: person(`u${u}`, "o0", `Name ${n} ${u}`) }))),
  [`a role removed that ${rows.toLocaleString("en")} assignments hold`]: (call) =>
    apply(call, { remove: { projectRole: role } }),
};

function person(id: string, organizationId: string, displayName: string) {
  return { id, organizationId, preferredLoginName: id, displayName };
}

/** Puts a removed role back. It isn't measured meanwhile. */
async function putBack(call: Call, connection: pg.ClientConfig): Promise<void> {
  await apply(call, { projectRole: role });
  await withClient(connection, async (client) => {
    await client.query("set session_replication_role = replica");
    await client.query(
      "insert into authorization_roles select id, project_id, '', 'second' from authorizations where project_id = 'large'",
    );
    await client.query("vacuum authorizations, authorization_roles");
  });
}

async function measureAll(url: string, [owner = "", ...tokens]: string[], connection: pg.ClientConfig): Promise<void> {
  for (const [what, change] of Object.entries(large)) {
    for (const [kind, work] of Object.entries(small)) {
      const [alone, beside, longest]: number[][] = [[], [], []];
      for (let round = 0; round <= rounds; round += 1) {
        const before = await ratesDuring(
          url,
          tokens,
          work,
          () => new Promise((end) => setTimeout(end, seconds * 1_000)),
        );
        const during = await ratesDuring(url, tokens, work, () => change(callerOf(url, owner), Date.now()));
        if (what.startsWith("a role")) await putBack(callerOf(url, owner), connection);
        // The first round warms up.
        if (round === 0) continue;
        alone?.push(before.rate);
        beside?.push(during.rate);
        longest?.push(during.seconds);
      }
      const [one, two, took] = [alone, beside, longest].map((of) => median(of ?? []));
      const ratio = ((two ?? 0) / (one ?? 1)).toFixed(2);
      console.log(
        `${what} (${took?.toFixed(1)} s): ${kind}, ${one?.toFixed(0)}/s alone, ${two?.toFixed(0)}/s beside, ratio ${ratio}`,
      );
    }
  }
}

/** How many requests of the others were answered in a second while something was under way. */
async function ratesDuring(url: string, tokens: readonly string[], work: Work, whatever: () => Promise<unknown>) {
  let [isOver, answered] = [false, 0];
  const working = tokens.map(async (token, index) => {
    const call = callerOf(url, token);
    for (let count = Date.now() % 1_000_000; !isOver; count += 1) {
      await work(call, index + 1, count);
      if (!isOver) answered += 1;
    }
  });
  const started = performance.now();
  await whatever();
  isOver = true;
  const took = (performance.now() - started) / 1_000;
  await Promise.all(working);
  return { rate: answered / took, seconds: took };
}

function callerOf(url: string, token: string): Call {
  return (rpc, body) =>
    new Promise((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...{ "content-type": "application/json", "connect-protocol-version": "1" },
      };
      const sent = request(`${url}/service.${rpc}`, { method: "POST", agent, headers }, (response) => {
        response.resume();
        response.on("end", () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`${rpc} was answered with ${response.statusCode}`));
        });
      });
      sent.on("error", reject);
      sent.end(JSON.stringify(body));
    });
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

const folder = await mkdtemp(path.join(tmpdir(), "measure-side-by-side-"));
const postgres = await openEmbeddedPostgres({ dataDirectory: folder, owner: { kind: "server" }, say: console.log });
try {
  const [host, port] = [postgres.socketDirectory, postgres.port];
  const connection = { host, port, user: "postgres", database: "postgres" };
  await migrate(connection);
  const tokens = await makeWorld(connection);
  const server = await startServer(["src/main.ts", "serve"], {
    DATABASE_URL: `postgresql:///postgres?host=${encodeURIComponent(host)}&port=${port}&user=postgres`,
    ...{ LOG_LEVEL: "error", DEFAULT_TIMEOUT_MS: "600000", MAX_TIMEOUT_MS: "600000" },
  });
  try {
    await measureAll(server.url, tokens, connection);
  } finally {
    await server.stop();
  }
} finally {
  agent.destroy();
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}
