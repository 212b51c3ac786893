import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { orGiveUp } from "../pool/give-up.ts";
import type { Send } from "../pool/running.ts";
import { identityOf, type PrimarySnapshot, type PrimarySnapshots } from "./primary-snapshots.ts";
import { type Before, usualPlans, type Within } from "./replica-session.ts";

/**
 * Why a replica had no snapshot in time that equals one of the primary's: it has not replayed enough, it shows a commit
 * that the primary doesn't show yet, or commits followed too closely on each other to tell.
 */
export type Miss = "behind" | "ahead" | "raced";

/** Thrown if a server can't be used as a replica of the primary. */
export class Unfit extends Error {
  override readonly name = "Unfit";
  readonly reason: keyof typeof unfit;

  constructor(reason: keyof typeof unfit) {
    super(unfit[reason]);
    this.reason = reason;
  }
}

const unfit = {
  different: "it does not hold the primary's database",
  promoted: "it is not a replica",
  timeline: "it does not follow the primary's timeline",
} as const;

export type Opening = {
  readonly client: pg.ClientBase;
  readonly send: Send;
  readonly primary: PrimarySnapshots;
  /** Called with how many bytes the replica has yet to replay to the primary's position. */
  readonly onPosition: (snapshot: PrimarySnapshot, missing: number) => void;
};

/** How long a read may wait for an equal snapshot, in milliseconds. Then it goes to the primary. */
const patienceMs = 20;

/** A replica usually has replayed what was flushed within this time, in milliseconds. */
const replayMs = 4;

/** A replica that doesn't answer the first question within this time, in milliseconds, is given up. */
const silentMs = 500;

/** The primary can't have crashed and be back within this time, in milliseconds, with a number used twice. */
const oldestMs = 200;

const pauseMs = 1;

/**
 * Begins a transaction on the replica whose snapshot shows exactly what a snapshot of the primary shows: `first` or one
 * taken later. Resolves to that one. After a miss, no transaction is open.
 */
export async function openEqualSnapshot(opening: Opening, first: PrimarySnapshot): Promise<PrimarySnapshot | Miss> {
  const { client, send, primary } = opening;
  const giveUpAt = performance.now() + patienceMs;
  const completeAt = performance.now() + replayMs;
  let base = first;
  for (;;) {
    const results = await orGiveUp(client, send<Before & Within>(begin(base)), silentMs);
    const found = await compare(opening, base, results[1]?.rows[0], results[4]?.rows[0], giveUpAt);
    if ("equal" in found) return found.equal;
    await send(rollback);
    if (found.miss === "behind" && performance.now() >= completeAt) primary.completeLog(base);
    if (performance.now() >= giveUpAt) return found.miss;
    if (found.miss === "behind") await sleep(pauseMs);
    base = found.base;
  }
}

type Found = { readonly equal: PrimarySnapshot } | { readonly miss: Miss; readonly base: PrimarySnapshot };

async function compare(
  { client, primary, onPosition }: Opening,
  base: PrimarySnapshot,
  before: Before | undefined,
  within: Within | undefined,
  giveUpAt: number,
): Promise<Found> {
  if (identityOf(client) !== base.identity) throw new Unfit("different");
  if (before?.missing == null || !within?.is_replica) throw new Unfit("promoted");
  if (within.timeline !== base.timeline) throw new Unfit("timeline");
  onPosition(base, before.missing);
  if (before.missing > 0) return { miss: "behind", base };
  // A commit was replayed between the two looks, and either may have missed it.
  const isVague = before.shown !== within.shown || performance.now() - base.askedAt > oldestMs;
  if (isVague) return { miss: "raced", base: await primary.next() };
  const shown = within.shown === "" ? [] : within.shown.split(",").map(BigInt);
  return shown.length === 0 ? { equal: base } : waitForPrimary(primary, base, shown, giveUpAt);
}

/** Waits until the primary also shows what the replica shows in addition to `base`, and compares again. */
async function waitForPrimary(
  primary: PrimarySnapshots,
  base: PrimarySnapshot,
  shown: readonly bigint[],
  giveUpAt: number,
): Promise<Found> {
  for (;;) {
    const later = await primary.next();
    if (later.identity !== base.identity || later.timeline !== base.timeline) return { miss: "raced", base: later };
    if (shown.every((id) => hasEnded(later, id))) {
      const isEqual = countEnded(base, later) === shown.length;
      return isEqual ? { equal: later } : { miss: "raced", base: later };
    }
    if (performance.now() >= giveUpAt) return { miss: "ahead", base };
    await sleep(pauseMs);
  }
}

function hasEnded({ running, next }: PrimarySnapshot, id: bigint): boolean {
  return id < next && !running.has(id);
}

/** How many transactions ended on the primary between two of its snapshots. Also counts those rolled back. */
function countEnded(base: PrimarySnapshot, later: PrimarySnapshot): number {
  let count = 0;
  for (const id of base.running) if (hasEnded(later, id)) count += 1;
  for (let id = base.next; id < later.next; id += 1n) if (!later.running.has(id)) count += 1;
  return count;
}

/**
 * Looks at the replica, takes the snapshot, and looks again. The first look is a transaction of its own, so that the
 * snapshot is not older than what it saw.
 */
function begin({ flushed, running, next }: PrimarySnapshot) {
  const candidates = `'{${[...running].join(",")}}', ${next}`;
  return {
    text:
      `begin; execute replica_before('${flushed}', ${candidates}); commit; ` +
      `begin isolation level repeatable read read only; execute replica_within(${candidates}); ${usualPlans}`,
    values: [],
  };
}

const rollback = { text: "rollback", values: [] };
