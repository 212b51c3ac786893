import { execFile, spawn } from "node:child_process";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePort } from "../../test/support/free-port.ts";
import { installOnce } from "../../test/support/install-once.ts";
import { withClient } from "../../test/support/with-client.ts";
import { askOurs, type Bench, type Case, compare } from "../bench.ts";
import { ask, type Post } from "../load.ts";
import { stopProcess } from "../processes.ts";
import { httpSide } from "../sides.ts";
import { latency, throughput } from "./pages.ts";

const run = promisify(execFile);
const version = "v1.22.1";
const folder = path.join(import.meta.dirname, "../../.cache/openfga");
const program = path.join(folder, "openfga");
const key = "a key that both sides know";

/** Half of them are held. */
const questions = 2_000;

type Question = {
  readonly userId: string;
  readonly projectId: string;
  readonly organizationId: string;
  readonly roleKey: string;
  readonly isHeld: boolean;
};

/** What the world's roles are in OpenFGA: an object each, which its holders have a direct relation to. */
const model = {
  schema_version: "1.1",
  type_definitions: [
    { type: "user" },
    {
      type: "role",
      relations: { holder: { this: {} } },
      metadata: { relations: { holder: { directly_related_user_types: [{ type: "user" }] } } },
    },
  ],
};

/** One question at a time, whether a user holds a role in a place, to the service and to OpenFGA on the same Postgres. */
export const openfgaCase: Case = {
  name: "openfga",
  title: `one check, beside OpenFGA ${version}`,
  slow: true,
  async run(bench) {
    await installOnce(folder, version, async () => {
      const env = { ...process.env, GOBIN: folder };
      await run("go", ["install", `github.com/openfga/openfga/cmd/openfga@${version}`], { env });
    });
    await withClient(bench.world, (client) =>
      client.query("drop schema if exists openfga cascade; create schema openfga"),
    );
    const server = await startOpenfga(`${bench.worldUrl}&search_path=openfga`);
    try {
      const { rows } = await withClient(bench.world, (client) => client.query<Question>(selectQuestions, [questions]));
      const theirs = await fillOpenfga(bench, server.url);
      const ours = askOurs(bench, "instance", "", {});
      const one = { ...ours, url: `${bench.servers.ours.url}/service.authorization.v2.CheckService/CheckRoles` };
      await requireRightAnswers(rows, one, theirs);
      const sides = [
        httpSide("ours", inTurn(one, rows, ourQuestion), bench.servers.ours),
        httpSide("OpenFGA", inTurn(theirs, rows, theirQuestion), server),
      ];
      const measurements = [
        ...(await compare(bench, { load: throughput, connections: 16, sides })),
        ...(await compare(bench, { load: latency, connections: 2, sides })),
      ];
      const numbers: Record<string, number> = {};
      for (const { side, load, serverMs = Number.NaN, postgresMs = Number.NaN } of measurements) {
        numbers[`${side}, ${load}: ms of its processor time`] = serverMs;
        numbers[`${side}, ${load}: ms of Postgres' processor time`] = postgresMs;
      }
      return { measurements, numbers, notes };
    } finally {
      await stopProcess(server.process);
      await withClient(bench.world, (client) => client.query("drop schema openfga cascade"));
    }
  },
};

const notes = [
  "Both answer over HTTP/1.1 with JSON, from ten connections to the same Postgres, without a cache of answers. OpenFGA has one tuple for each role of an active assignment, and checks a key that both sides know. The service looks up the caller's token and rights as well, and ends of assignments.",
];

async function startOpenfga(uri: string) {
  const datastore = ["--datastore-engine", "postgres", "--datastore-uri", uri];
  await run(program, ["migrate", ...datastore]);
  const [http, grpc] = [await freePort(), await freePort()];
  const options = [
    ...["run", ...datastore, "--datastore-max-open-conns", "10", "--datastore-max-idle-conns", "10"],
    ...["--http-addr", `127.0.0.1:${http}`, "--grpc-addr", `127.0.0.1:${grpc}`],
    ...["--authn-method", "preshared", "--authn-preshared-keys", key],
    ...["--playground-enabled=false", "--metrics-enabled=false", "--log-level", "fatal"],
  ];
  const child = spawn(program, options, { stdio: ["ignore", "inherit", "inherit"] });
  const url = `http://127.0.0.1:${http}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`openfga ended with code ${child.exitCode}`);
    const ready = await fetch(`${url}/healthz`).catch(() => undefined);
    if (ready?.ok) return { url, process: child };
    await sleep(50);
  }
}

/** Stores the model and the holders of all roles. Resolves to how to ask. */
async function fillOpenfga({ world, say }: Bench, url: string): Promise<Post> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Record<string, string>;
  };
  const { id: store = "" } = await post("/stores", { name: "bench" });
  const { authorization_model_id: modelId } = await post(`/stores/${store}/authorization-models`, model);
  await withClient(world, async (client) => {
    // Its own way in takes a hundred at once.
    const { rowCount } = await client.query(insertTuples, [store]);
    say(`  ${rowCount} tuples`);
    await client.query("vacuum (analyze) openfga.tuple");
  });
  const body = Buffer.from(JSON.stringify({ authorization_model_id: modelId }));
  return { url: `${url}/stores/${store}/check`, headers, body };
}

const ourQuestion = (question: Question) => {
  const { userId, projectId, organizationId, roleKey } = question;
  return { items: [{ userId, projectId, organizationId, roleKeys: [roleKey] }] };
};

const theirQuestion = ({ userId, projectId, organizationId, roleKey }: Question) => ({
  tuple_key: { user: `user:${userId}`, relation: "holder", object: `role:${organizationId}/${projectId}/${roleKey}` },
});

function inTurn(post: Post, all: readonly Question[], ask: (question: Question) => object): Post {
  const common = JSON.parse(post.body.toString());
  const bodies = all.map((question) => JSON.stringify({ ...common, ...ask(question) }));
  let count = 0;
  return { ...post, body: () => bodies[count++ % bodies.length] ?? "" };
}

async function requireRightAnswers(all: readonly Question[], ours: Post, theirs: Post): Promise<void> {
  const answer = async (post: Post, question: object) => {
    const body = { ...JSON.parse(post.body.toString()), ...question };
    return JSON.parse((await ask({ ...post, body: Buffer.from(JSON.stringify(body)) })).toString());
  };
  for (const question of all.slice(0, 200)) {
    const our = await answer(ours, ourQuestion(question));
    const their = await answer(theirs, theirQuestion(question));
    const found = [(our.results[0].success.held ?? []).length === 1, their.allowed];
    if (found.some((held) => held !== question.isHeld))
      throw new Error(`${JSON.stringify(question)}: ${JSON.stringify([our, their])}`);
  }
}

// Every second one about a user of another assignment, who hardly ever holds that role there.
const selectQuestions = `
  with picked as (
    select *, row_number() over () as number
    from (select * from authorizations where state = 'active' order by md5(id) limit $1) p
  ), asked as (
    select case when number % 2 = 0 then user_id else coalesce(lead(user_id) over (order by number), user_id) end as user_id,
      project_id, organization_id,
      (select min(role_key) from authorization_roles r where r.authorization_id = picked.id) as role_key
    from picked
  )
  select user_id as "userId", project_id as "projectId", organization_id as "organizationId", role_key as "roleKey",
    exists (
      select from authorizations a
      join authorization_roles r on r.authorization_id = a.id and r.role_key = asked.role_key
      where (a.user_id, a.project_id, a.organization_id) = (asked.user_id, asked.project_id, asked.organization_id)
        and a.state = 'active') as "isHeld"
  from asked`;

const insertTuples = `
  insert into openfga.tuple (store, object_type, object_id, relation, _user, user_type, ulid, inserted_at)
  select $1, 'role', organization_id || '/' || a.project_id || '/' || role_key, 'holder', 'user:' || user_id, 'user',
    lpad((row_number() over ())::text, 26, '0'), now()
  from authorizations a
  join authorization_roles r on r.authorization_id = a.id
  where a.state = 'active'`;
