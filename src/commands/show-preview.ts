import type { AffectedAuthorizations, Thing } from "../directory/outcome.ts";
import type { Difference, Preview } from "../directory/preview.ts";
import { resourceOf } from "../postgres/directory/stage/resources.ts";

/** Shows what an import would do, as lines for people. The same preview always makes the same lines. */
export function* showPreview(preview: Preview, mostPlaces: number): Generator<string> {
  for (const difference of preview.differences) yield showDifference(difference);
  const { added, changed, removed, authorizations } = preview;
  yield* more(added + changed + removed - preview.differences.length, "difference");
  for (const place of authorizations.slice(0, mostPlaces)) yield* showFollowing(place);
  yield* more(authorizations.length - mostPlaces, "place");
  const followed = authorizations.reduce((sum, place) => sum + place.changed + place.removed, 0);
  const assignments = followed === 0 ? "" : `; ${followed} ${plural(followed, "assignment")} would follow`;
  const read = `${preview.changes} ${plural(preview.changes, "change")} read`;
  yield `${read}: ${added} would be added, ${changed} changed, ${removed} removed${assignments}.`;
}

function showDifference({ kind, follows, before, after }: Difference): string {
  const because = follows ? " (follows)" : "";
  const { fields, key } = orderOf(kind);
  const some = (names: readonly string[], image: Thing["image"]) =>
    JSON.stringify(Object.fromEntries(names.flatMap((name) => (name in image ? [[name, image[name]]] : []))));
  if (before === undefined || after === undefined) {
    return `${before === undefined ? "+" : "-"} ${kind} ${some(fields, before ?? after ?? {})}${because}`;
  }
  const changes = fields
    .filter((name) => text(before[name]) !== text(after[name]) && !(name === "changeDate" && after[name] === undefined))
    .map((name) => `${name}: ${text(before[name])} -> ${text(after[name])}`);
  return `~ ${kind} ${some(key, after)} ${changes.join(", ")}${because}`;
}

/** The fields in the order of the import format, and those that say which thing it is. */
function orderOf(kind: Difference["kind"]): { readonly fields: readonly string[]; readonly key: readonly string[] } {
  const entry = ["userId", "instance", "organizationId", "projectId", "projectGrantId"];
  if (kind === "administrator") return { fields: [...entry, "roles"], key: entry };
  const token = ["id", "userId", "name", "makerId", "creationDate", "expirationDate"];
  if (kind === "token") return { fields: token, key: ["id"] };
  const { fields, key } = resourceOf(kind);
  const names = Object.keys(fields);
  return { fields: names, key: names.filter((name) => key.includes(fields[name] ?? "")) };
}

function text(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}

function* showFollowing({ projectId, organizationId, changed, removed }: AffectedAuthorizations): Generator<string> {
  const where = `in project ${JSON.stringify(projectId)} of organization ${JSON.stringify(organizationId)}`;
  if (changed > 0) yield `~ ${changed} ${plural(changed, "assignment")} ${where} (follows)`;
  if (removed > 0) yield `- ${removed} ${plural(removed, "assignment")} ${where} (follows)`;
}

function* more(count: number, what: string): Generator<string> {
  if (count > 0) yield `… and ${count} more ${plural(count, what)}`;
}

function plural(count: number, what: string): string {
  return count === 1 ? what : `${what}s`;
}
