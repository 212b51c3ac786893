/** Assignments created in [from, to), in milliseconds. Both are the start of a day in UTC. */
export type Period = { readonly from: number; readonly to: number; readonly count: number };

export type Unit = "day" | "week" | "month" | "year";

export type Timeline = { readonly unit: Unit; readonly periods: readonly Period[] };

type Days = readonly { readonly day: string; readonly count: number }[];

const day = 24 * 60 * 60 * 1000;
/** How many columns there is room for. Only years may be more. */
const mostPeriods = 62;

/** The start of the next period of each unit, finest first. Weeks start on Mondays. */
const nextOf: Record<Unit, (from: Date) => number> = {
  day: (from) => from.getTime() + day,
  week: (from) => from.getTime() + (7 - ((from.getUTCDay() + 6) % 7)) * day,
  month: (from) => from.setUTCMonth(from.getUTCMonth() + 1, 1),
  year: (from) => from.setUTCFullYear(from.getUTCFullYear() + 1, 0, 1),
};

/**
 * Periods from the oldest to the newest of some days, without gaps, in the finest unit that has few enough of them. The
 * first period starts with the oldest day, even in the middle of a week, because it doesn't include older days. `days`
 * are the days with new assignments, newest first, such as `2026-01-31`.
 */
export function timelineOf(days: Days, most = mostPeriods): Timeline {
  const units = Object.keys(nextOf) as Unit[];
  const unit = units.find((one) => periodsOf(days, one, most).length <= most) ?? "year";
  return { unit, periods: periodsOf(days, unit, Number.POSITIVE_INFINITY) };
}

/** The periods of a unit, of which no more are made than one too many. */
function periodsOf(days: Days, unit: Unit, most: number): Period[] {
  const ascending = days.map(({ day, count }) => ({ at: startOf(day), count })).reverse();
  const newest = ascending.at(-1)?.at ?? Number.NEGATIVE_INFINITY;
  const periods: Period[] = [];
  let from = ascending[0]?.at ?? 0;
  let seen = 0;
  while (from <= newest && periods.length <= most) {
    const to = nextOf[unit](new Date(from));
    let count = 0;
    for (let next = ascending[seen]; next !== undefined && next.at < to; next = ascending[++seen]) count += next.count;
    periods.push({ from, to, count });
    from = to;
  }
  return periods;
}

export function endOf(written: string): number {
  return startOf(written) + day;
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}
