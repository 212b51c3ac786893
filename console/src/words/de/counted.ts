import { locale } from "../language/language.ts";

const numbers = new Intl.NumberFormat(locale);

export function number(count: number): string {
  return numbers.format(count);
}

export const moreThanCounted = `mehr als ${number(10_000)}`;

/** Such as „1 Person“, „2.000 Personen“ or „mehr als 10.000 Änderungen“. */
export function counted(count: number, [one, several]: readonly [one: string, several: string]): string {
  if (count === Number.POSITIVE_INFINITY) return `${moreThanCounted} ${several}`;
  return `${number(count)} ${count === 1 ? one : several}`;
}

export function assignments(count: number): string {
  return counted(count, ["Zuweisung", "Zuweisungen"]);
}
