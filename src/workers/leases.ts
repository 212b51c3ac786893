import type { Allowance, MakeRoom } from "../rpc/door/counting.ts";
import type { Channel } from "./channel.ts";

/** One thing that is limited for one key, such as the requests of a caller. */
export type Pool = { readonly name: string; readonly key: string };

/** A worker needs more than it holds. */
export type Wanted = Pool & { readonly most: number; readonly amount: number };

/** What a worker has more or less than its share. */
export type Settled = { readonly spare: number; readonly missing: number };

/** How long a worker refuses without asking again, in milliseconds: refusing must cost next to nothing. */
const deniedMs = 20;

type Lease = { used: number; held: number; deniedUntil: number; readonly waiting: Waiter[] };
type Waiter = { readonly amount: number; readonly resolve: (isTaken: boolean) => void };
type Kind = { readonly share: number; readonly leases: Map<string, Lease>; readonly makeRoom: MakeRoom | undefined };

/** In the order of their arrival, until one needs more than is left. */
function serve(lease: Lease): void {
  for (;;) {
    const [first] = lease.waiting;
    if (first === undefined || lease.used + first.amount > lease.held) return;
    lease.waiting.shift();
    lease.used += first.amount;
    first.resolve(true);
  }
}

export type Leases = { allowance(name: string, most: number, makeRoom?: MakeRoom): Allowance };

/**
 * A worker's part of what is limited for all workers together. Each holds an equal share, and takes from it without
 * asking. A worker that needs more asks the primary process, which lends what the others don't use (lease-office.ts).
 *
 * @param lent the pools of which this worker holds nothing at first, because others may hold it all
 */
export function openLeases(channel: Channel, workers: number, lent: readonly Pool[]): Leases {
  const kinds = new Map<string, Kind>();

  function leaseOf({ share, leases }: Kind, key: string): Lease {
    const lease = leases.get(key) ?? { used: 0, held: share, deniedUntil: 0, waiting: [] };
    leases.set(key, lease);
    return lease;
  }

  function forget({ share, leases }: Kind, key: string): void {
    const lease = leases.get(key);
    if (lease?.used === 0 && lease.held === share && lease.waiting.length === 0) leases.delete(key);
  }

  async function ask(pool: Pool, most: number, lease: Lease): Promise<void> {
    const asked = [...lease.waiting];
    const amount = asked.reduce((sum, waiter) => sum + waiter.amount, lease.used - lease.held);
    const wanted: Wanted = { ...pool, most, amount };
    const granted = await channel.ask<number>("lease", wanted).catch(() => 0);
    lease.held += granted;
    serve(lease);
    for (const waiter of asked) {
      const place = lease.waiting.indexOf(waiter);
      if (place < 0) continue;
      lease.waiting.splice(place, 1);
      lease.deniedUntil = performance.now() + deniedMs;
      waiter.resolve(false);
      serve(lease);
    }
    // Others have come in the meantime.
    if (lease.waiting.length > 0) return ask(pool, most, lease);
  }

  channel.on("recall", ({ name, key, amount }: Pool & { amount: number }) => {
    const kind = kinds.get(name);
    if (kind === undefined) return 0;
    const lease = leaseOf(kind, key);
    const short = amount - (lease.held - lease.used);
    if (short > 0 && lease.used > kind.share) kind.makeRoom?.(Math.min(short, lease.used - kind.share));
    const spare = lease.waiting.length > 0 ? 0 : lease.held - lease.used;
    // At least half, so that a worker which needs more and more rarely asks.
    const given = Math.max(Math.min(spare, amount), Math.floor(spare / 2));
    lease.held -= given;
    return given;
  });

  channel.on("settle", ({ name, key }: Pool): Settled => {
    const kind = kinds.get(name);
    if (kind === undefined) return { spare: 0, missing: 0 };
    const lease = leaseOf(kind, key);
    const spare = Math.max(0, lease.held - Math.max(lease.used, kind.share));
    lease.held -= spare;
    const missing = Math.max(0, kind.share - lease.held);
    forget(kind, key);
    return { spare, missing };
  });

  channel.on("lent", ({ name, key, amount }: Pool & { amount: number }) => {
    const kind = kinds.get(name);
    if (kind === undefined) return;
    leaseOf(kind, key).held += amount;
    forget(kind, key);
  });

  return {
    allowance(name, most, makeRoom) {
      const kind: Kind = { share: Math.floor(most / workers), leases: new Map(), makeRoom };
      kinds.set(name, kind);
      for (const pool of lent) if (pool.name === name) leaseOf(kind, pool.key).held = 0;
      return {
        take(key, amount) {
          const lease = leaseOf(kind, key);
          if (lease.waiting.length === 0 && lease.used + amount <= lease.held) {
            lease.used += amount;
            return true;
          }
          if (amount > most || performance.now() < lease.deniedUntil) return false;
          return new Promise((resolve) => {
            lease.waiting.push({ amount, resolve });
            if (lease.waiting.length === 1) void ask({ name, key }, most, lease);
          });
        },
        give(key, amount) {
          const lease = leaseOf(kind, key);
          lease.used -= amount;
          forget(kind, key);
        },
      };
    },
  };
}
