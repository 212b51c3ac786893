/** Whether Postgres can store and compare a value as text: no NUL character, and no half of a character. */
export function isStorable(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed() && !value.includes("\0");
}
