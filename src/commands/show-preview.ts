import type { AffectedAuthorizations } from "../directory/outcome.ts";
import type { Difference, Preview } from "../directory/preview.ts";

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
  if (before === undefined) return `+ ${kind} ${json(after)}${because}`;
  if (after === undefined) return `- ${kind} ${json(before)}${because}`;
  const names = fieldsOf({ ...before, ...after });
  const fields = names
    .filter((name) => json(before[name]) !== json(after[name]) && !(name === "changeDate" && after[name] === undefined))
    .map((name) => `${name}: ${json(before[name])} -> ${json(after[name])}`);
  const key = Object.fromEntries(keyOf[kind].flatMap((name) => (name in after ? [[name, after[name]]] : [])));
  return `~ ${kind} ${json(key)} ${fields.join(", ")}${because}`;
}

/** The fields that say which thing it is. */
const keyOf: Record<Difference["kind"], readonly string[]> = {
  organization: ["id"],
  user: ["id"],
  project: ["id"],
  projectRole: ["projectId", "key"],
  projectGrant: ["id"],
  administrator: ["userId", "instance", "organizationId", "projectId", "projectGrantId"],
  authorization: ["id"],
  token: ["id"],
};

/** The order of the import format. Any other field comes last. */
const order = [
  ...["id", "projectId", "key", "userId", "instance", "organizationId", "projectGrantId", "name", "preferredLoginName"],
  ...[
    "displayName",
    "group",
    "description",
    "avatarUrl",
    "roleKeys",
    "roles",
    "state",
    "creationDate",
    "changeDate",
    "expirationDate",
    "expired",
  ],
];

function fieldsOf(image: Readonly<Record<string, unknown>>): string[] {
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.keys(image).toSorted((one, other) => place(one) - place(other) || (one < other ? -1 : 1));
}

function json(value: unknown): string {
  if (value === undefined) return "none";
  if (typeof value !== "object" || value === null || Array.isArray(value)) return JSON.stringify(value);
  const image = value as Readonly<Record<string, unknown>>;
  return JSON.stringify(Object.fromEntries(fieldsOf(image).map((name) => [name, image[name]])));
}

function* showFollowing({ projectId, organizationId, changed, removed }: AffectedAuthorizations): Generator<string> {
  const where = `in project ${json(projectId)} of organization ${json(organizationId)}`;
  if (changed > 0) yield `~ ${changed} ${plural(changed, "assignment")} ${where} (follows)`;
  if (removed > 0) yield `- ${removed} ${plural(removed, "assignment")} ${where} (follows)`;
}

function* more(count: number, what: string): Generator<string> {
  if (count > 0) yield `… and ${count} more ${plural(count, what)}`;
}

function plural(count: number, what: string): string {
  return count === 1 ? what : `${what}s`;
}
