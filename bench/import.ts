// Measures the import command: a generated world with any number of authorizations goes into an empty embedded
// PostgreSQL with its normal settings, by the command as people run it.
//
//   npm run bench:import -- --rows 1000000

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { rows: { type: "string", default: "1000000" } } });
const rows = Number(values.rows);
const organizations = 1_000;
const users = Math.max(1, Math.ceil(rows / 5));
const rolesOfProject = 8;

const folder = await mkdtemp(path.join(tmpdir(), "measure-import-"));
try {
  const file = path.join(folder, "world.ndjson");
  const lines = await writeLines(file, world());
  console.log(`${lines} lines with ${rows} authorizations, ${mebibytes((await stat(file)).size)}`);
  await measure(file, lines);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Every organization owns a project and uses the one of the next organization too. */
function* world(): Generator<object> {
  const name = (kind: string, index: number) => `${kind}-${String(index).padStart(6, "0")}`;
  const keys = Array.from({ length: rolesOfProject }, (_, index) => name("role", index));
  for (let index = 0; index < organizations; index += 1) {
    const organizationId = name("organization", index);
    yield { organization: { id: organizationId, name: `Organization ${index}` } };
    yield { project: { id: name("project", index), organizationId, name: `Project ${index}` } };
    for (const key of keys) {
      yield { projectRole: { projectId: name("project", index), key, displayName: `Role ${key}`, group: "staff" } };
    }
    const granted = name("project", (index + 1) % organizations);
    yield { projectGrant: { id: name("grant", index), projectId: granted, organizationId, roleKeys: keys } };
    yield { administrator: { userId: name("user", index % users), organizationId, roles: ["ORG_OWNER"] } };
  }
  for (let index = 0; index < users; index += 1) {
    const organizationId = name("organization", index % organizations);
    const preferredLoginName = `user${index}@${organizationId}.example`;
    yield { user: { id: name("user", index), organizationId, preferredLoginName, displayName: `User ${index}` } };
  }
  // Five for every user, each in another organization, in the owned project and the granted one by turns.
  for (let index = 0; index < rows; index += 1) {
    const user = index % users;
    const organization = (user + Math.floor(index / users) * 7) % organizations;
    const date = new Date(Date.UTC(2024, 0) + index * 50).toISOString();
    yield {
      authorization: {
        id: name("authorization", index),
        userId: name("user", user),
        projectId: name("project", (organization + (index % 2)) % organizations),
        organizationId: name("organization", organization),
        roleKeys: index % 3 === 0 ? keys.slice(0, 1) : [keys[index % 4], keys[4 + (index % 4)]],
        creationDate: date,
        changeDate: date,
      },
    };
  }
}

async function writeLines(file: string, things: Iterable<object>): Promise<number> {
  const stream = createWriteStream(file);
  let count = 0;
  for (const thing of things) {
    count += 1;
    if (!stream.write(`${JSON.stringify(thing)}\n`)) await once(stream, "drain");
  }
  stream.end();
  await once(stream, "close");
  return count;
}

/** Runs the command; what it says on standard error marks the ends of its phases. */
async function measure(file: string, lines: number): Promise<void> {
  const main = path.join(import.meta.dirname, "../src/main.ts");
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const child = spawn(process.execPath, [main, "import", file], {
    env: { ...process.env, DATA_DIR: path.join(folder, "data"), DATABASE_URL: "" },
    stdio: ["ignore", "inherit", "pipe"],
  });
  const memory: number[] = [];
  const sampling = setInterval(async () => memory.push(await residentBytes(child.pid)), 500);
  let before = 0;
  for await (const message of createInterface({ input: child.stderr })) {
    // One number every 10,000 lines is too many to show.
    if (/^\d+ lines read$/.test(message)) continue;
    console.log(`${(seconds() - before).toFixed(1).padStart(7)} s  ${message}`);
    before = seconds();
  }
  const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
  clearInterval(sampling);
  if (code !== 0) throw new Error(`the import ended with code ${code}`);
  const tenths = Array.from({ length: 10 }, (_, tenth) => memory[Math.floor((memory.length * tenth) / 10)] ?? 0);
  console.log(`${seconds().toFixed(1).padStart(7)} s  in all, ${Math.round(lines / seconds())} lines a second`);
  console.log(`memory of the command: peak ${mebibytes(Math.max(...memory))}, over time ${tenths.map(mebibytes)}`);
}

/** Linux alone tells this of another process. */
async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

function mebibytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MiB`;
}
