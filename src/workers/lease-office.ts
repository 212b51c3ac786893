import { setTimeout as sleep } from "node:timers/promises";
import type { Channel } from "./channel.ts";
import type { Pool, Settled, Wanted } from "./leases.ts";

/** Lends what is limited for all workers together, so that they never hold more than the limit. */
export type LeaseOffice = {
  /** Lets a worker hold its share of everything. Returns the pools of which it holds nothing, because others may. */
  join(channel: Channel): Pool[];
  /** Everything the worker held is free again. */
  leave(channel: Channel): void;
  /** Gives each worker its share back of what was not needed for a while. */
  settle(): Promise<void>;
};

type Lending = {
  readonly pool: Pool;
  readonly most: number;
  readonly held: Map<Channel, number>;
  /** One worker is served at a time. */
  last: Promise<unknown>;
  askedAt: number;
};

/** How long a worker may take to give back what it doesn't use, in milliseconds. A busy one keeps it. */
const recallMs = 1_000;

/** @param idleMs how long a pool must not have been asked for before it is settled, in milliseconds */
export function openLeaseOffice(workers: number, idleMs = 10_000): LeaseOffice {
  const members = new Set<Channel>();
  const lendings = new Map<string, Lending>();

  function lendingOf({ name, key, most }: Wanted): Lending {
    const id = idOf({ name, key });
    const share = Math.floor(most / workers);
    const lending = lendings.get(id) ?? {
      ...{ pool: { name, key }, most, last: Promise.resolve(), askedAt: 0 },
      held: new Map([...members].map((member) => [member, share])),
    };
    lending.askedAt = performance.now();
    lendings.set(id, lending);
    return lending;
  }

  /** Waits for a worker's answer, but not for long. An answer that is late counts all the same. */
  async function inTime(answered: Promise<void>): Promise<void> {
    const late = new AbortController();
    // It has ended if it rejects.
    await Promise.race([
      answered.catch(() => {}),
      sleep(recallMs, undefined, { signal: late.signal, ref: false }).catch(() => {}),
    ]);
    late.abort();
  }

  function recall(lending: Lending, member: Channel, amount: number): Promise<void> {
    const recalled = member.ask<number>("recall", { ...lending.pool, amount });
    return inTime(recalled.then((given) => add(lending, member, -given)));
  }

  async function lend(lending: Lending, to: Channel, amount: number): Promise<number> {
    const missing = amount - free(lending);
    if (missing > 0) {
      const others = [...lending.held.keys()].filter((member) => member !== to);
      await Promise.all(others.map((member) => recall(lending, member, missing)));
    }
    // All of it, so that the worker rarely has to ask.
    const lent = lending.held.has(to) ? Math.max(0, free(lending)) : 0;
    add(lending, to, lent);
    return lent;
  }

  async function settleOne(lending: Lending, before: number): Promise<void> {
    const missing = new Map<Channel, number>();
    const ask = (member: Channel) =>
      member.ask<Settled>("settle", lending.pool).then((found) => {
        add(lending, member, -found.spare);
        if (found.missing > 0) missing.set(member, found.missing);
      });
    await Promise.all([...lending.held.keys()].map((member) => inTime(ask(member))));
    for (const [member, wanted] of missing) {
      const amount = Math.min(wanted, free(lending));
      if (amount <= 0) continue;
      add(lending, member, amount);
      member.tell("lent", { ...lending.pool, amount });
    }
    const share = Math.floor(lending.most / workers);
    const isSettled = [...lending.held.values()].every((held) => held === share);
    // Not if one has asked in the meantime: it waits for this.
    if (isSettled && lending.askedAt <= before) lendings.delete(idOf(lending.pool));
  }

  function inTurn<T>(lending: Lending, work: () => Promise<T>): Promise<T> {
    const done = lending.last.then(work);
    lending.last = done.catch(() => {});
    return done;
  }

  return {
    join(channel) {
      channel.on("lease", (wanted: Wanted) => {
        const lending = lendingOf(wanted);
        return inTurn(lending, () => lend(lending, channel, wanted.amount));
      });
      members.add(channel);
      for (const { held } of lendings.values()) held.set(channel, 0);
      return [...lendings.values()].map(({ pool }) => pool);
    },
    leave(channel) {
      members.delete(channel);
      for (const { held } of lendings.values()) held.delete(channel);
    },
    async settle() {
      const before = performance.now() - idleMs;
      const idle = [...lendings.values()].filter(({ askedAt }) => askedAt <= before);
      await Promise.all(idle.map((lending) => inTurn(lending, () => settleOne(lending, before))));
    },
  };
}

function free({ most, held }: Lending): number {
  let left = most;
  for (const amount of held.values()) left -= amount;
  return left;
}

/** Only for a worker that still lives: a dead one holds nothing. */
function add({ held }: Lending, member: Channel, amount: number): void {
  const before = held.get(member);
  if (before !== undefined) held.set(member, before + amount);
}

function idOf({ name, key }: Pool): string {
  return `${name}\n${key}`;
}
