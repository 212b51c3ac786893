/** The starts and ends of calls in the order of time, as a chain that calls are taken out of and put back into. */

export type Timed = {
  readonly start: number;
  /** Infinity: nobody heard the answer. It may take effect at any time after its start, or never. */
  readonly end: number;
};

/** A call's start or end in the line of all; ends are there for calls that were answered. */
export type Entry<Op> = {
  readonly op: Op;
  readonly number: number;
  readonly isStart: boolean;
  readonly end: Entry<Op> | undefined;
  previous: Entry<Op> | undefined;
  next: Entry<Op> | undefined;
};

/** The calls that can come first: those that started before any other had ended. */
export function minimal<Op>(line: Entry<Op>): Entry<Op>[] {
  const found: Entry<Op>[] = [];
  for (let entry = line.next; entry?.isStart; entry = entry.next) found.push(entry);
  return found;
}

/** Returns what comes before the first of them. */
export function lineUp<Op extends Timed>(ops: readonly Op[]): Entry<Op> {
  const entries = ops.flatMap((op, number): { time: number; entry: Entry<Op> }[] => {
    const links = { previous: undefined, next: undefined };
    if (op.end === Number.POSITIVE_INFINITY) {
      return [{ time: op.start, entry: { op, number, isStart: true, end: undefined, ...links } }];
    }
    const end: Entry<Op> = { op, number, isStart: false, end: undefined, ...links };
    return [
      { time: op.start, entry: { op, number, isStart: true, end, ...links } },
      { time: op.end, entry: end },
    ];
  });
  // Of two at the same time the start comes first: they may have overlapped.
  entries.sort((a, b) => a.time - b.time || Number(b.entry.isStart) - Number(a.entry.isStart));
  const head = { previous: undefined, next: undefined } as unknown as Entry<Op>;
  let last = head;
  for (const { entry } of entries) {
    last.next = entry;
    entry.previous = last;
    last = entry;
  }
  return head;
}

/** Takes a call out, with its start and its end. */
export function take<Op>(entry: Entry<Op>): void {
  for (const one of entry.end === undefined ? [entry] : [entry, entry.end]) {
    if (one.previous !== undefined) one.previous.next = one.next;
    if (one.next !== undefined) one.next.previous = one.previous;
  }
}

/** Undoes `take`; the links of what was taken out last still say where it was. */
export function putBack<Op>(entry: Entry<Op>): void {
  for (const one of entry.end === undefined ? [entry] : [entry.end, entry]) {
    if (one.previous !== undefined) one.previous.next = one;
    if (one.next !== undefined) one.next.previous = one;
  }
}
