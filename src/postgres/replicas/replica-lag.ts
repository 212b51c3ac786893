import type { PrimarySnapshot } from "./primary-snapshots.ts";

/** Measures how far a replica is behind the primary. */
type ReplicaLag = {
  /** Called with how many bytes the replica has yet to replay to a snapshot's position. */
  record(snapshot: PrimarySnapshot, missing: number): void;
  /** Undefined until the replica has first been reached. */
  bytes(): number | undefined;
  /** How long ago the primary was where the replica is now, in seconds, as far as is known. */
  seconds(): number | undefined;
};

/** A position of the primary and when it was there. */
type Mark = { readonly at: number; readonly position: bigint };

const mostMarks = 1_000;
const shortestMs = 250;

export function replicaLag(): ReplicaLag {
  /** The positions that the replica has not reached, as far as is known, oldest first. */
  const ahead: Mark[] = [];
  let bytes: number | undefined;
  let reachedAt: number | undefined;
  return {
    record({ flushed, askedAt }, missing) {
      const position = toNumber(flushed);
      const replayed = position - BigInt(missing);
      bytes = Math.max(0, missing);
      if (askedAt - (ahead.at(-1)?.at ?? 0) >= shortestMs) ahead.push({ at: askedAt, position });
      while (ahead[0] !== undefined && ahead[0].position <= replayed) reachedAt = ahead.shift()?.at;
      if (missing <= 0) reachedAt = Math.max(reachedAt ?? 0, askedAt);
      if (ahead.length > mostMarks) ahead.splice(1, 1);
    },
    bytes: () => bytes,
    seconds: () => (reachedAt === undefined ? undefined : (performance.now() - reachedAt) / 1_000),
  };
}

/** Reads a position in the form that Postgres prints, such as 16/B374D848. */
function toNumber(position: string): bigint {
  const [high = "0", low = "0"] = position.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}
