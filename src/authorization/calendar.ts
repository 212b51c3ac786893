/**
 * Days of the Gregorian calendar by number, where 0 is 1970-01-01. JavaScript's dates know them as well, but reading and
 * printing one takes four times as long, and a page of a list has hundreds.
 *
 * A year is counted from March here, so that the leap day is its last one, and an era has 400 years.
 */
type Day = { readonly year: number; readonly month: number; readonly day: number };

const daysOfEra = 146_097;
const daysBefore1970 = 719_468;

export function dayNumber({ year, month, day }: Day): number {
  const fromMarch = month > 2 ? year : year - 1;
  const era = Math.floor(fromMarch / 400);
  const yearOfEra = fromMarch - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * daysOfEra + dayOfEra - daysBefore1970;
}

export function dayOf(number: number): Day {
  const days = number + daysBefore1970;
  const era = Math.floor(days / daysOfEra);
  const dayOfEra = days - era * daysOfEra;
  const leapDays = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * month + 2) / 5) + 1;
  const isAfterNewYear = month >= 10;
  return { year: yearOfEra + era * 400 + (isAfterNewYear ? 1 : 0), month: isAfterNewYear ? month - 9 : month + 3, day };
}
