import { setTimeout as sleep } from "node:timers/promises";
import { outcomeOf } from "../history/answers.ts";
import { call } from "../history/http.ts";
import { authorization, role, user } from "../support/world.ts";

/** A request that a client sent: through which server, when, what came of it, and when. */
export type Call = {
  readonly server: number;
  readonly outcome: "done" | "unknown" | "nothing";
  readonly start: number;
  readonly end: number;
};

/** Each change has a reason of its own, by which its event is found. */
export type Write = Call & { readonly reason: string };

export type Writers = ReturnType<typeof startWriters>;

export const writerNames = ["ann", "bob", "cid", "dee", "eve", "fay"];
const roles = Array.from({ length: 16 }, (_, index) => `role-${index}`);

/** One assignment for each client, of which it changes the role. */
export const writersWorld: readonly object[] = [
  { organization: { id: "acme", name: "Acme" } },
  { project: { id: "shop", organizationId: "acme", name: "Shop" } },
  ...[...writerNames, "root"].map((id) => user(id, "acme")),
  ...roles.map((key) => role("shop", key)),
  ...writerNames.map((id) => authorization(id, id, "shop", "acme", [roles[0] ?? ""], "2024-01-01T00:00:00Z")),
  { administrator: { userId: "root", instance: true, roles: ["IAM_OWNER"] } },
];

const patience = { deadlineMs: 5_000 };
const pauseMs = 40;

/** Lets each client change its assignment through one of the servers and read it through the other one, again and again. */
export function startWriters(urls: readonly [string, string], token: string) {
  /** All changes and all reads so far, in the order of their answers. */
  const writes: Write[] = [];
  const reads: Call[] = [];
  /** What the service must never answer: an unexpected error, or an assignment as it was before an acknowledged change. */
  const wrong: string[] = [];
  let stopped = false;

  async function work(name: string, server: 0 | 1): Promise<void> {
    // What may be shown: the last acknowledged change, or any later one of which it is not known whether it was made.
    let possible = new Set(roles.slice(0, 1));
    for (let number = 1; !stopped; number += 1) {
      const role = anotherThan(possible);
      const reason = `change ${number} of ${name}`;
      const change = { id: name, roleKeys: [role], reason };
      const start = performance.now();
      const reply = await call(urls[server], "UpdateAuthorization", change, token, patience);
      const outcome = outcomeOf(reply, false, () => ({ kind: "applied" }));
      if (outcome.kind === "applied") possible = new Set([role]);
      else if (outcome.kind === "unknown") possible.add(role);
      else if (outcome.kind !== "nothing") wrong.push(`${reason}: ${JSON.stringify(outcome)}`);
      const noted = outcome.kind === "applied" ? "done" : outcome.kind === "unknown" ? "unknown" : "nothing";
      writes.push({ server, reason, outcome: noted, start, end: performance.now() });

      const asked = { filters: [{ authorizationIds: { ids: [name] } }] };
      const answer = await call(urls[1 - server], "ListAuthorizations", asked, token, patience);
      const read = outcomeOf(answer, true, ({ authorizations: [found] }) => {
        const shown = found?.roles.map(({ key }: { key: string }) => key).join();
        if (!possible.has(shown)) wrong.push(`after ${reason}, ${shown} was shown, not ${[...possible].join(" or ")}`);
        return { kind: "applied" };
      });
      if (read.kind === "wrong") wrong.push(`reading after ${reason}: ${read.why}`);
      await sleep(pauseMs);
    }
  }

  /** A writer may wait for its change for long, so it doesn't know when reads are answered again. */
  async function keepReading(server: 0 | 1): Promise<void> {
    while (!stopped) {
      const start = performance.now();
      const answer = await call(urls[server], "ListAuthorizations", {}, token, patience);
      const read = outcomeOf(answer, true, () => ({ kind: "applied" }));
      if (read.kind === "wrong") wrong.push(`reading: ${read.why}`);
      const outcome = read.kind === "applied" ? "done" : "nothing";
      reads.push({ server, outcome, start, end: performance.now() });
      await sleep(pauseMs);
    }
  }

  const working = writerNames.map((name, index) => work(name, index % 2 === 0 ? 0 : 1));
  working.push(keepReading(0), keepReading(1));
  return {
    writes,
    reads,
    wrong,
    async stop() {
      stopped = true;
      await Promise.all(working);
    },
  };
}

/** One that is surely not assigned, because a change to the same role leaves no event. */
function anotherThan(possible: ReadonlySet<string>): string {
  const others = roles.filter((role) => !possible.has(role));
  const role = others[Math.floor(Math.random() * others.length)];
  if (role === undefined) throw new Error("too many changes in a row have an unknown outcome");
  return role;
}
