import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { orGiveUp } from "../pool/give-up.ts";
import type { Send } from "../pool/running.ts";
import { identityOf, type PrimarySnapshot, type PrimarySnapshots } from "./primary-snapshots.ts";
import { type Position, type Shown, usualPlans } from "./replica-session.ts";

/**
 * Why a replica had no snapshot in time that equals one of the primary's: it has not replayed enough, or it shows a
 * commit that the primary's snapshot doesn't show.
 */
export type Miss = "behind" | "ahead";

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
  readonly onPosition: (missing: number) => void;
};

/** How long a read may wait for an equal snapshot, in milliseconds. Then it goes to the primary. */
const patienceMs = 20;

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
  let wanted = first;
  for (;;) {
    const results = await orGiveUp(client, send<Position & Shown>(begin(wanted)), silentMs);
    const miss = compare(opening, wanted, results[1]?.rows[0], results[4]?.rows[0]);
    if (miss === undefined) return wanted;
    await send(rollback);
    if (performance.now() >= giveUpAt) return miss;
    await sleep(pauseMs);
    // The primary may show the commit by now.
    if (miss === "ahead") wanted = await primary.next();
  }
}

function compare(
  { client, onPosition }: Opening,
  wanted: PrimarySnapshot,
  position: Position | undefined,
  shown: Shown | undefined,
): Miss | undefined {
  if (identityOf(client) !== wanted.identity) throw new Unfit("different");
  if (position?.missing == null || !shown?.is_replica) throw new Unfit("promoted");
  if (shown.timeline !== wanted.timeline) throw new Unfit("timeline");
  onPosition(position.missing);
  if (position.missing > 0) return "behind";
  return shown.shows_more || performance.now() - wanted.askedAt > oldestMs ? "ahead" : undefined;
}

/**
 * Looks how far the replica is, then takes the snapshot, then looks what else it shows. The first look is a transaction of
 * its own, so that the snapshot is not older than what it saw.
 */
function begin({ flushed, running, next }: PrimarySnapshot) {
  return {
    text:
      `begin; execute replica_position('${flushed}'); commit; begin isolation level repeatable read read only; ` +
      `execute replica_shows_more('{${[...running].join(",")}}', ${next}); ${usualPlans}`,
    values: [],
  };
}

const rollback = { text: "rollback", values: [] };
