import { counted } from "../words/counted.ts";
import { locale } from "../words/language/language.ts";
import { pageWords } from "../words/pages.ts";
import type { Period } from "./periods.ts";

const number = new Intl.NumberFormat(locale);
const percent = new Intl.NumberFormat(locale, {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const smallest = 0.001;
const days = new Intl.DateTimeFormat(locale, { timeZone: "UTC", dateStyle: "medium" });

export function numberText(value: number): string {
  return number.format(value);
}

export function assignments(count: number): string {
  return counted(count, pageWords.assignments);
}

export function shareText(count: number, total: number): string {
  const share = total === 0 ? 0 : count / total;
  return share > 0 && share < smallest ? `<${percent.format(smallest)}` : percent.format(share);
}

/** The first and the last day of a period, in UTC. */
export function daysText({ from, to }: Pick<Period, "from" | "to">): string {
  return days.formatRange(from, to - 1);
}
