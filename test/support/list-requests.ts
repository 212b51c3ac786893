import { filterKinds as kinds, textFields as texts } from "../oracle/model/list.ts";

export const methods = [
  "EQUALS",
  "EQUALS_IGNORE_CASE",
  "STARTS_WITH",
  "STARTS_WITH_IGNORE_CASE",
  "CONTAINS",
  "CONTAINS_IGNORE_CASE",
  "ENDS_WITH",
  "ENDS_WITH_IGNORE_CASE",
].map((name) => `TEXT_FILTER_METHOD_${name}`);

/** Every kind but those that nest others. */
export const filterKinds = Object.keys(kinds);

/** The filters that compare a text, and the field that holds it. */
export const textFields = fieldsAmong(texts);

/** The filters that hold several texts, and the field that does. */
export const listFields = fieldsAmong(["ids", "keys"]);

/** The filters that hold one id. */
export const idKinds = Object.keys(fieldsAmong(["id"]));

function fieldsAmong(fields: readonly string[]): Record<string, string> {
  const found = Object.entries(kinds).map(([kind, { field }]) => [kind, field] as const);
  return Object.fromEntries(found.filter(([, field]) => fields.includes(field)));
}
