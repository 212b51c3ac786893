/** From what Postgres prints, `2026-01-31 08:00:00.123456+00`, with 0, 3 or 6 digits of a second. */
export function toRfc3339(text: string): string {
  const fraction = text.slice(20, -3);
  const digits = fraction === "" ? "" : `.${fraction.padEnd(fraction.length > 3 ? 6 : 3, "0")}`;
  return `${text.slice(0, 10)}T${text.slice(11, 19)}${digits}Z`;
}
