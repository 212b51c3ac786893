/** The time of calls, in milliseconds since 1970: of a clock that no one sets. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Compares that clock with the machine's, which Postgres reads, until it is told to stop. Returns how far they were apart. */
export function watchClock(): () => number {
  let most = 0;
  const timer = setInterval(() => {
    const before = now();
    const machine = Date.now();
    const after = now();
    // The machine's is in whole milliseconds. The other one is read twice, because the process may be halted in between.
    most = Math.max(most, before - (machine + 1), machine - after);
  }, 20);
  return () => {
    clearInterval(timer);
    return most;
  };
}
