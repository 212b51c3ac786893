import { type Entry, lineUp, minimal, putBack, type Timed, take } from "./line.ts";

/**
 * Whether there is an order of calls in which each takes effect at one moment between its start and its end, and all
 * answers are those of one after the other: linearizability. The search is that of Wing and Gong with Lowe's memory of
 * what was tried, as Porcupine and Knossos do it.
 */

export type Model<State, Op> = {
  readonly initial: State;
  /** What it makes of the state if it takes effect now; undefined when its answer is not the one this state gives. */
  step(state: State, op: Op): State | undefined;
  /** Tells states apart; equal ones continue in the same way. */
  keyOf(state: State): string;
  /** The same for calls that do the same, so that of those nobody heard an answer of one stands for all. */
  effectOf(op: Op): unknown;
};

export type Verdict<State, Op> =
  | { readonly kind: "linearizable" }
  /** The best attempt: how many calls found their place, the state then, and the calls that could not come next. */
  | { readonly kind: "impossible" | "too hard"; readonly placed: number; readonly state: State; readonly stuck: Op[] };

/** Where the search stands. */
type Place<State> = {
  readonly state: State;
  /** The answered calls that were placed. */
  readonly placed: SetHash;
  /** The calls without an answer that were placed. */
  readonly used: ReadonlySet<number>;
  /** How many answered calls are still to be placed. */
  readonly unanswered: number;
};

/** A call that was placed, where the search stood before, and what else could have come there. */
type Choice<State, Op> = {
  readonly entry: Entry<Op>;
  readonly before: Place<State>;
  readonly others: Step<State, Op>[];
};
type Step<State, Op> = { readonly entry: Entry<Op>; readonly state: State };

/** @param mostSteps after so many states it gives up */
export function checkLinearizable<State, Op extends Timed>(
  model: Model<State, Op>,
  ops: readonly Op[],
  mostSteps: number,
): Verdict<State, Op> {
  const line = lineUp(ops);
  const tried = new Tried();
  const path: Choice<State, Op>[] = [];
  let at: Place<State> = {
    state: model.initial,
    placed: emptySet,
    used: new Set(),
    unanswered: ops.filter((op) => op.end !== Number.POSITIVE_INFINITY).length,
  };
  let options = nextSteps(model, line, at.state);
  let best = { placed: 0, state: at.state, stuck: minimal(line).map(({ op }) => op) };

  for (let steps = 0; at.unanswered > 0; ) {
    const option = options.pop();
    if (option !== undefined) {
      const after = placeAfter(at, option);
      if (tried.isWorse(`${after.placed.join()} ${model.keyOf(after.state)}`, after.used)) continue;
      steps += 1;
      if (steps > mostSteps) return { kind: "too hard", ...best };
      path.push({ entry: option.entry, before: at, others: options });
      take(option.entry);
      at = after;
      options = nextSteps(model, line, at.state);
    } else {
      if (path.length > best.placed) {
        best = { placed: path.length, state: at.state, stuck: minimal(line).map(({ op }) => op) };
      }
      const last = path.pop();
      if (last === undefined) return { kind: "impossible", ...best };
      putBack(last.entry);
      at = last.before;
      options = last.others;
    }
  }
  return { kind: "linearizable" };
}

function placeAfter<State, Op>(
  { placed, used, unanswered }: Place<State>,
  { entry, state }: Step<State, Op>,
): Place<State> {
  if (entry.end === undefined) return { state, placed, used: new Set(used).add(entry.number), unanswered };
  return { state, placed: toggled(placed, entry.number), used, unanswered: unanswered - 1 };
}

/** Everything that can come next; what was answered last in the list, so that it is tried first. */
function nextSteps<State, Op>(model: Model<State, Op>, line: Entry<Op>, state: State): Step<State, Op>[] {
  const answered: Step<State, Op>[] = [];
  const unheard: Step<State, Op>[] = [];
  const effects = new Set<unknown>();
  for (const entry of minimal(line)) {
    if (entry.end === undefined) {
      const effect = model.effectOf(entry.op);
      if (effects.has(effect)) continue;
      effects.add(effect);
    }
    const after = model.step(state, entry.op);
    if (after === undefined) continue;
    if (entry.end !== undefined) answered.push({ entry, state: after });
    // What changes nothing does not need to happen.
    else if (model.keyOf(after) !== model.keyOf(state)) unheard.push({ entry, state: after });
  }
  return [...unheard, ...answered.reverse()];
}

/**
 * What was tried: the answered calls that were placed, the state they gave, and the calls without an answer that were
 * used up for it. Whoever comes there again with fewer of these left cannot do better.
 */
class Tried {
  private readonly usedAt = new Map<string, ReadonlySet<number>[]>();

  /** Whether it was tried before, with no more used up; notes it otherwise. */
  isWorse(place: string, used: ReadonlySet<number>): boolean {
    const before = this.usedAt.get(place);
    if (before === undefined) this.usedAt.set(place, [used]);
    else if (before.some((one) => one.isSubsetOf(used))) return true;
    else before.push(used);
    return false;
  }
}

/** A set of numbers as 64 bits that change with each member: two sets with the same bits are not to be expected. */
type SetHash = readonly [number, number];

const emptySet: SetHash = [0, 0];

function toggled([high, low]: SetHash, member: number): SetHash {
  return [high ^ scatter(member, 0x9e3779b9), low ^ scatter(member, 0x85ebca6b)];
}

function scatter(member: number, salt: number): number {
  let mixed = Math.imul(member + 1, 0x9e3779b1) ^ salt;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b ^ salt);
  return mixed ^ (mixed >>> 16);
}
