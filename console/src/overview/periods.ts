/** Assignments created in [from, to), in milliseconds. Both are the start of a day in UTC. */
export type Period = { readonly from: number; readonly to: number; readonly count: number };

export type Unit = "day" | "week" | "month" | "year" | "decade" | "century";

export type Timeline = { readonly unit: Unit; readonly periods: readonly Period[] };

const day = 24 * 60 * 60 * 1000;

/** The start of the next period of each unit, finest first. Weeks start on Mondays. */
const nextOf: Record<Unit, (from: number) => number> = {
  day: (from) => from + day,
  // The first of January 1970 was a Thursday.
  week: (from) => from + (7 - modulo(from / day + 3, 7)) * day,
  month: (from) => atMonth(from, new Date(from).getUTCMonth() + 1),
  year: (from) => afterYears(from, 1),
  decade: (from) => afterYears(from, 10),
  century: (from) => afterYears(from, 100),
};

/**
 * Periods from the oldest to the newest of some days, without gaps: days, or the finest unit with at most `most`
 * periods. The first period starts with the oldest day, even in the middle of a week, because it doesn't include older
 * days. `days` are the days with new assignments, newest first, such as `2026-01-31`.
 */
export function timelineOf(days: readonly { day: string; count: number }[], most: number): Timeline {
  const oldest = days.at(-1);
  const newest = days[0];
  if (oldest === undefined || newest === undefined) return { unit: "day", periods: [] };
  const units = Object.keys(nextOf) as Unit[];
  for (const unit of units) {
    const bounds = boundsOf(startOf(oldest.day), startOf(newest.day), nextOf[unit], most);
    if (bounds !== undefined) return { unit, periods: count(bounds, days) };
  }
  throw new Error(`${oldest.day} to ${newest.day} needs more than ${most} centuries`);
}

/** The starts of the periods, and the end of the last one; undefined if there are more than `most`. */
function boundsOf(oldest: number, newest: number, next: (from: number) => number, most: number) {
  const bounds = [oldest];
  let end = oldest;
  while (end <= newest) {
    if (bounds.length > most) return undefined;
    end = next(end);
    bounds.push(end);
  }
  return bounds;
}

function count(bounds: readonly number[], days: readonly { day: string; count: number }[]): Period[] {
  const ascending = days.map(({ day, count }) => ({ at: startOf(day), count })).reverse();
  let seen = 0;
  return bounds.slice(1).map((to, index) => {
    let count = 0;
    for (let next = ascending[seen]; next !== undefined && next.at < to; next = ascending[++seen]) count += next.count;
    return { from: bounds[index] ?? to, to, count };
  });
}

export function endOf(written: string): number {
  return startOf(written) + day;
}

function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

function atMonth(moment: number, month: number): number {
  return new Date(moment).setUTCMonth(month, 1);
}

function afterYears(moment: number, years: number): number {
  const year = new Date(moment).getUTCFullYear();
  return new Date(moment).setUTCFullYear(year - modulo(year, years) + years, 0, 1);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
