/** Assignments created in [from, to), in milliseconds. Both are the start of a day in UTC. */
export type Period = { readonly from: number; readonly to: number; readonly count: number };

type Days = readonly { readonly day: string; readonly count: number }[];

const day = 24 * 60 * 60 * 1000;
/** How many there is room for. Only years may be more. */
const mostPeriods = 31;

/** The start of the next day, week, month and year. Weeks start on Mondays. */
const units: readonly ((from: Date) => number)[] = [
  (from) => from.getTime() + day,
  (from) => from.getTime() + (7 - ((from.getUTCDay() + 6) % 7)) * day,
  (from) => from.setUTCMonth(from.getUTCMonth() + 1, 1),
  (from) => from.setUTCFullYear(from.getUTCFullYear() + 1, 0, 1),
];

/**
 * Periods from the oldest to the newest of some days, without gaps, in the finest unit that has few enough of them. The
 * first period starts with the oldest day, even in the middle of a week, because it doesn't include older days. `days`
 * are the days with new assignments, newest first, such as `2026-01-31`.
 */
export function timelineOf(days: Days, most = mostPeriods): readonly Period[] {
  const ascending = days.map(({ day, count }) => ({ at: Date.parse(`${day}T00:00:00Z`), count })).reverse();
  const newest = ascending.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  let periods: Period[] = [];
  for (const nextOf of units) {
    const isLast = nextOf === units.at(-1);
    periods = [];
    let seen = 0;
    for (let from = ascending[0]?.at ?? 0; from <= newest && (periods.length <= most || isLast); ) {
      const to = nextOf(new Date(from));
      let count = 0;
      for (let next = ascending[seen]; next !== undefined && next.at < to; next = ascending[++seen])
        count += next.count;
      periods.push({ from, to, count });
      from = to;
    }
    if (periods.length <= most) break;
  }
  return periods;
}
