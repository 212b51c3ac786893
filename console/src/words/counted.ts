import { locale } from "./language/language.ts";
import { translated } from "./language/translated.ts";

const number = new Intl.NumberFormat(locale);

/** "1 person", "2,000 people", or "more than 10,000 changes" for an infinite number: the service counts no more events. */
export const counted = translated(
  "counted",
  (count: number, [one, several]: readonly [one: string, several: string]): string => {
    if (count === Number.POSITIVE_INFINITY) return `${moreThanCounted} ${several}`;
    return `${number.format(count)} ${count === 1 ? one : several}`;
  },
);

export const moreThanCounted = translated("moreThanCounted", `more than ${number.format(10_000)}`);
