import { expect, test } from "vitest";
import { scratchFolder } from "../support/cluster.ts";
import { verify } from "./check/verify.ts";
import { experiment } from "./experiment.ts";
import { countCalls, describeViolation } from "./report.ts";
import { replicaFaultKinds } from "./schedule.ts";
import { serve } from "./servers.ts";

/** `npm run history` is the same for as long as one likes, with more clients and without pauses. */
const few = { clients: 8, coldUsers: 12, thinkMs: 20, calmMs: 900 };

test("Nothing is lost, made up or shown wrongly while replicas break, too", async () => {
  const said: string[] = [];
  const findings = await experiment({
    ...few,
    ...{ seed: 5, forMs: 25_000, server: serve, replicas: 2, folder: await scratchFolder() },
    signal: new AbortController().signal,
    say: (message) => void said.push(message),
  });
  const violations = [...findings.violations, ...verify(findings.history, findings.combinations)];
  expect(violations.map(describeViolation), said.join("\n")).toEqual([]);
  expect(countCalls(findings.history).acknowledged, "acknowledged calls").toBeGreaterThan(200);
  const harmed = replicaFaultKinds.filter((kind) => findings.faults.has(kind));
  expect(harmed.length, "kinds of faults of replicas").toBeGreaterThan(1);
});

test("Nothing acknowledged is lost when a synchronous replica is promoted", async () => {
  const said: string[] = [];
  const findings = await experiment({
    ...few,
    ...{ seed: 3, forMs: 20_000, server: serve, replicas: 2, failOver: true, folder: await scratchFolder() },
    signal: new AbortController().signal,
    say: (message) => void said.push(message),
  });
  const violations = [...findings.violations, ...verify(findings.history, findings.combinations)];
  expect(violations.map(describeViolation), said.join("\n")).toEqual([]);
  expect(findings.continuedAfterMs, "changes after the promotion").toBeDefined();
  expect(countCalls(findings.history).acknowledged, "acknowledged calls").toBeGreaterThan(200);
});

test("Nothing is lost, made up or shown wrongly while servers and Postgres break", async () => {
  const said: string[] = [];
  const findings = await experiment({
    ...few,
    ...{ seed: 1, forMs: 20_000, server: serve, folder: await scratchFolder() },
    signal: new AbortController().signal,
    say: (message) => void said.push(message),
  });
  const violations = [...findings.violations, ...verify(findings.history, findings.combinations)];
  expect(violations.map(describeViolation), said.join("\n")).toEqual([]);
  expect(countCalls(findings.history).acknowledged, "acknowledged calls").toBeGreaterThan(200);
  expect(findings.faults.size, "kinds of faults").toBeGreaterThan(2);
});

test("Nothing is lost, made up or shown wrongly while workers of servers are killed, too", async () => {
  const said: string[] = [];
  const findings = await experiment({
    ...few,
    ...{ seed: 4, forMs: 20_000, server: serve, workers: 2, folder: await scratchFolder() },
    signal: new AbortController().signal,
    say: (message) => void said.push(message),
  });
  const violations = [...findings.violations, ...verify(findings.history, findings.combinations)];
  expect(violations.map(describeViolation), said.join("\n")).toEqual([]);
  expect(countCalls(findings.history).acknowledged, "acknowledged calls").toBeGreaterThan(200);
  expect(findings.faults.get("kill a worker"), said.join("\n")).toBeGreaterThan(0);
});
