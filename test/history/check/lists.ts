import type { Combination, ListCall, Row, Scope, StoredEvent, Violation } from "../operation.ts";
import { rightsOf } from "../world.ts";
import { describeList, describeRow } from "./describe.ts";
import type { Times } from "./makers.ts";
import type { Version } from "./replay.ts";
import { ended, rowText } from "./rows.ts";

/** A version of an authorization with the time in which it came to be, as clients can know it. */
type Era = {
  readonly row: Row | undefined;
  /** Nobody can have seen it earlier than its call began. */
  readonly from: number;
  /** It, or a later one, is there for everybody since then. */
  readonly since: number;
};

export type Eras = {
  readonly on: Combination;
  readonly eras: readonly Era[];
  /** Where in them a row is, as it is shown before its end or from then on. */
  readonly indexesOf: ReadonlyMap<string, readonly number[]>;
};

/**
 * Versions of one combination follow each other, so each began after those before and before those after it. That an end
 * passed makes none: it is the list's moment that decides how a version is shown.
 */
export function erasOf(on: Combination, all: readonly Version[], timesOf: ReadonlyMap<StoredEvent, Times>): Eras {
  const versions = all.filter(({ event }) => event.type !== "user.grant.expired");
  const calls = versions.map(({ event }) => timesOf.get(event));
  const from: number[] = [];
  for (const call of calls) from.push(Math.max(from.at(-1) ?? Number.NEGATIVE_INFINITY, call?.start ?? -Infinity));
  const since: number[] = [];
  for (const call of calls.toReversed()) since.unshift(Math.min(since[0] ?? Infinity, call?.end ?? Infinity));
  const always = Number.NEGATIVE_INFINITY;
  const eras: Era[] = [{ row: undefined, from: always, since: always }];
  const indexesOf = new Map<string, number[]>();
  for (const [at, { row }] of versions.entries()) {
    const texts = row === undefined ? [] : new Set([row, ended(row)].map(rowText));
    for (const text of texts) indexesOf.set(text, [...(indexesOf.get(text) ?? []), eras.length]);
    eras.push({ row, from: from[at] ?? always, since: since[at] ?? Infinity });
  }
  return { on, eras, indexesOf };
}

/** A list shows what was acknowledged before it began, unless a later or concurrent write explains the difference. */
export function checkList(list: ListCall, all: ReadonlyMap<string, Eras>, clockSkew: number): Violation[] {
  if (list.outcome.kind !== "listed") return [];
  const { rows, total } = list.outcome;
  const { offset, limit } = list.scope;
  const wrong = (what: string, ...details: string[]): Violation => ({
    what,
    details: [describeList(list), ...details],
  });
  const found: Violation[] = [];
  if (rows.length !== Math.min(limit, Math.max(0, total - offset))) found.push(wrong("a page and a total that differ"));
  if (rows.some((row, at) => at > 0 && !comesBefore(rows[at - 1] as Row, row)))
    found.push(wrong("a page out of order"));

  const shown = new Map(rows.map((row) => [row.key, row]));
  let earliest = list.start;
  let latest = list.end;
  for (const row of rows) {
    const eras = all.get(row.key);
    if (eras === undefined || !isIn(list, eras.on) || !matches(list.scope, row)) {
      found.push(wrong("a row that does not belong to the list", describeRow(row)));
      continue;
    }
    const { from, until } = timesOf(row, eras, list, clockSkew);
    if (from > list.end) found.push(wrong("a row that was not there", describeRow(row)));
    if (until < list.start) found.push(wrong("a row that was no longer so", describeRow(row)));
    earliest = Math.max(earliest, from);
    latest = Math.min(latest, until);
  }
  if (earliest > latest && found.length === 0) found.push(wrong("rows that were never there together"));

  const last = rows.at(-1);
  let surely = 0;
  let possibly = 0;
  for (const eras of all.values()) {
    if (!isIn(list, eras.on)) continue;
    const during = rowsDuring(list, eras, clockSkew);
    const matching = during.filter((row) => row !== undefined && matches(list.scope, row));
    if (matching.length > 0) possibly += 1;
    if (matching.length < during.length) continue;
    surely += 1;
    // Before the page's last row it must be on it, and if the page is the last one it must be on it in any case.
    const due = matching.every((row) => last === undefined || rows.length < limit || comesBefore(row as Row, last));
    if (offset === 0 && due && !shown.has(eras.on.key)) {
      found.push(wrong("an authorization that is missing", describeRow(matching[0])));
    }
  }
  if (total < surely || total > possibly) found.push(wrong(`a total that is not ${surely} to ${possibly}`));
  return found;
}

function isIn({ client, scope }: ListCall, on: Combination): boolean {
  if (scope.projectId !== undefined && scope.projectId !== on.projectId) return false;
  if (scope.organizationId !== undefined && scope.organizationId !== on.organizationId) return false;
  return rightsOf(client, on).see;
}

function matches({ state, role }: Scope, row: Row): boolean {
  return (state === undefined || row.state === state) && (role === undefined || row.roles.split(",").includes(role));
}

/** When a row was to be seen; never, if it never was. */
function timesOf(
  row: Row,
  { eras, indexesOf }: Eras,
  list: ListCall,
  clockSkew: number,
): { from: number; until: number } {
  const indexes = indexesOf.get(rowText(row)) ?? [];
  const untilOf = (index: number) => eras[index + 1]?.since ?? Infinity;
  const index = indexes.find((one) => untilOf(one) >= list.start) ?? indexes.at(-1) ?? Infinity;
  const from = eras[index]?.from ?? Infinity;
  const end = endOf(eras[index]?.row);
  return row.state === "active"
    ? { from, until: Math.min(untilOf(index), end + clockSkew) }
    : { from: end === Infinity ? from : Math.max(from, end - clockSkew), until: untilOf(index) };
}

/** When what is in force ends, as a time of calls. */
function endOf(row: Row | undefined): number {
  return row?.state === "active" && row.expirationDate !== undefined ? row.expirationDate / 1_000 : Infinity;
}

/** What the combination may have been shown as while the list was made. */
function rowsDuring({ start, end }: ListCall, { eras }: Eras, clockSkew: number): (Row | undefined)[] {
  const first = Math.max(
    0,
    lastIndex(eras, ({ since }) => since <= start),
  );
  return eras
    .slice(first, lastIndex(eras, ({ from }) => from <= end) + 1)
    .flatMap(({ row }) => [
      ...(endOf(row) > start - clockSkew ? [row] : []),
      ...(row !== undefined && endOf(row) <= end + clockSkew ? [ended(row)] : []),
    ]);
}

/** The last of those that fulfil a condition, which the first ones do and the others do not; -1 if none does. */
function lastIndex(eras: readonly Era[], holds: (era: Era) => boolean): number {
  let low = -1;
  let high = eras.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (holds(eras[middle] as Era)) low = middle;
    else high = middle;
  }
  return low;
}

/** Newest first; of those of one moment the larger id. */
function comesBefore(a: Row, b: Row): boolean {
  return a.creationDate > b.creationDate || (a.creationDate === b.creationDate && a.id > b.id);
}
