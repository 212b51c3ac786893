import { expect, test } from "vitest";
import { scratchFolder } from "../support/scratch-postgres.ts";
import { verify } from "./check/verify.ts";
import { experiment } from "./experiment.ts";
import { countCalls, describeViolation } from "./report.ts";
import { replicaFaultKinds } from "./schedule.ts";
import { serve } from "./servers.ts";

/** `npm run history` is the same for as long as one likes, with more clients and without pauses. */
const few = { clients: 8, coldUsers: 12, watchers: 6, thinkMs: 20, calmMs: 900 };

type Options = Partial<Parameters<typeof experiment>[0]> & { readonly seed: number; readonly forMs: number };

/** Fails if anything was wrong, or if little was done. */
async function experimentAndVerify(options: Options) {
  const said: string[] = [];
  const findings = await experiment({
    ...few,
    ...{ server: serve, folder: await scratchFolder() },
    ...options,
    signal: new AbortController().signal,
    say: (message) => void said.push(message),
  });
  const violations = [...findings.violations, ...verify(findings.history, findings.combinations)];
  expect(violations.map(describeViolation), said.join("\n")).toEqual([]);
  expect(countCalls(findings.history).acknowledged, "acknowledged calls").toBeGreaterThan(200);
  return findings;
}

test("Nothing is lost, made up or shown wrongly while replicas break, too", async () => {
  const { faults } = await experimentAndVerify({ seed: 5, forMs: 25_000, replicas: 2 });
  const harmed = replicaFaultKinds.filter((kind) => faults.includes(kind));
  expect(harmed.length, "kinds of faults of replicas").toBeGreaterThan(1);
});

test("Nothing acknowledged is lost when a synchronous replica is promoted", async () => {
  const findings = await experimentAndVerify({ seed: 3, forMs: 20_000, replicas: 2, failOver: true });
  expect(findings.continuedAfterMs, "changes after the promotion").toBeDefined();
});

test("Nothing is lost, made up or shown wrongly while servers and Postgres break", async () => {
  const { faults } = await experimentAndVerify({ seed: 1, forMs: 20_000 });
  expect(new Set(faults).size, "kinds of faults").toBeGreaterThan(2);
});

test("Nothing is lost, made up or shown wrongly while workers of servers are killed, too", async () => {
  const { faults } = await experimentAndVerify({ seed: 4, forMs: 20_000, workers: 2 });
  expect(faults).toContain("kill a worker");
});
