import { setTimeout as sleep } from "node:timers/promises";
import { describe, type Owner } from "./ownership.ts";

/** Joining takes a moment while the owner starts. Only longer waits are worth a message. */
const quietMs = 1_000;

/** How long a server that was just killed or told to stop may take to disappear. */
const lastBreathMs = 1_000;

/** Longer than any healthy start. After that, a command gives up on an owner whose Postgres does not become ready. */
const longestStartMs = 60_000;

/** Waits for a live owner, and tells people once what it waits for. Throws if waiting is hopeless. */
export function waitForOwner(say: (message: string) => void) {
  const announced = new Set<string>();
  let waitingFor = "";
  let since = 0;
  return async (owner: Owner, kind: Owner["kind"], dataDirectory: string): Promise<void> => {
    const current = `${owner.pid} ${owner.started} ${owner.state}`;
    if (current !== waitingFor) {
      waitingFor = current;
      since = Date.now();
    }
    const waited = Date.now() - since;
    const message = kind === "server" ? serverWaits(owner, waited, dataDirectory) : commandWaits(owner, waited);
    if (message !== undefined && !announced.has(message)) {
      announced.add(message);
      say(message);
    }
    await sleep(50);
  };
}

function serverWaits(owner: Owner, waitedMs: number, dataDirectory: string): string | undefined {
  if (owner.kind === "command" || owner.state === "stopping") return `waiting for ${describe(owner)} to finish`;
  if (waitedMs < lastBreathMs) return undefined;
  throw new Error(`${dataDirectory} is in use by ${describe(owner)}: stop that process, or set another DATA_DIR`);
}

function commandWaits(owner: Owner, waitedMs: number): string | undefined {
  if (waitedMs < quietMs) return undefined;
  if (owner.state === "stopping") return `waiting for ${describe(owner)} to finish`;
  if (waitedMs < longestStartMs) return `waiting for the PostgreSQL of ${describe(owner)} to become ready`;
  throw new Error(`the PostgreSQL of ${describe(owner)} did not become ready within ${longestStartMs / 1000} seconds`);
}
