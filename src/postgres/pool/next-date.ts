/**
 * The date of a change, as SQL: now, or right after the date before it if that isn't earlier. So dates rise even if the
 * clock was set back, or an import dated a change in the future. Only the last date that can be stored has no later one.
 */
export function nextDate(now: string, before: string): string {
  return `least(greatest(${now}, ${before} + interval '1 microsecond'), timestamptz '9999-12-31 23:59:59.999999Z')`;
}
