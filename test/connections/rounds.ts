import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newIdentity } from "../support/identity.ts";
import { type Doors, openMany } from "./mixed-connections.ts";

/** What a round has left in the server: its open sockets, and the bytes of its heap after a collection. */
type Left = { readonly sockets: number; readonly heap: number };

/** The longest that the server waits for a client, in this server of short patience, and a little more. */
const patienceMs = 20_000;

/** Opens so many mixed connections in each round, against one server, and measures what each round leaves. */
export async function runRounds(rounds: number, connections: number, seed: number) {
  const folder = await mkdtemp(path.join(tmpdir(), "authorization-connections-"));
  const files = [path.join(folder, "tls.crt"), path.join(folder, "tls.key")] as const;
  const { cert, key } = await newIdentity();
  await Promise.all([writeFile(files[0], cert), writeFile(files[1], key)]);
  const server = fork(path.join(import.meta.dirname, "server.ts"), files, { execArgv: ["--expose-gc"] });
  try {
    const [doors] = (await once(server, "message")) as [Doors];
    const measure = async () => {
      const measured = once(server, "message");
      server.send("measure");
      return ((await measured) as [Left])[0];
    };
    let kinds: ReadonlyMap<string, number> = new Map();
    const left: Left[] = [];
    for (let round = 0; round < rounds; round += 1) {
      kinds = await openMany(doors, connections, seed + round * connections);
      const giveUpAt = Date.now() + patienceMs;
      let found = await measure();
      while (found.sockets > 0 && Date.now() < giveUpAt) {
        await sleep(100);
        found = await measure();
      }
      left.push(found);
    }
    return { left, kinds };
  } finally {
    server.kill("SIGKILL");
    await rm(folder, { recursive: true });
  }
}
