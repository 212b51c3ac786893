import type { SortColumn } from "../../src/authorization/list.ts";
import type { Caller } from "./callers.ts";
import type { Exception } from "./exceptions.ts";
import type { Examined } from "./explain.ts";

/** One list that was run, and what it may cost. */
export type Result = Examined & {
  readonly filter: string;
  readonly caller: Caller["kind"];
  /** Look-ups are sorted by name, and events by time. */
  readonly sort: SortColumn | "name" | "time";
  readonly bound: number;
};

export type Judgement = ReturnType<typeof judge>;

export function judge(results: readonly Result[], exceptions: readonly Exception[]) {
  const beyond = results.filter(({ rows, bound }) => rows > bound);
  const isExcused = (result: Result) => exceptions.some((exception) => excuses(exception, result));
  return {
    /** Beyond their bound, and nothing excuses them. */
    failed: beyond.filter((result) => !isExcused(result)),
    excused: beyond.filter(isExcused),
    /** They excuse nothing any more. */
    unneeded: exceptions.filter(
      (exception) => !exception.sometimes && !beyond.some((result) => excuses(exception, result)),
    ),
  };
}

/** What costs much more than was measured has got worse, and is no longer what was excused. */
function excuses({ filters, callers, sorts, rows }: Exception, result: Result): boolean {
  return (
    filters.includes(result.filter) &&
    (callers?.includes(result.caller as (typeof callers)[number]) ?? true) &&
    (sorts?.includes(result.sort as SortColumn) ?? true) &&
    result.rows <= 1.5 * rows
  );
}
