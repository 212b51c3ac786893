import type { Authorization, GetCallerResponse } from "@authorization-service/client";
import type { Transport } from "@connectrpc/connect";
import type { QueryClient } from "@tanstack/react-query";
import { placeName } from "../changes/assignment-name.ts";
import { type Gift, isDone, planOf, wishesFor } from "../changes/batch-change.ts";
import { givenTo } from "../changes/batch-preview.tsx";
import { isNew, newRow, slotOf } from "../changes/new-row.ts";
import { type Offers, offersFor, placeKey, type RoleChoice } from "../changes/offered-roles.ts";
import { keysOf } from "../changes/role-difference.ts";
import { rowsNow } from "../changes/rows-now.ts";
import { isActive } from "../compare/difference.ts";
import { assignListWords as words } from "../words/assign-list.ts";
import type { Line } from "./lines.ts";
import { resolver } from "./resolve.ts";

/** What a line of the list would do. */
export type Verdict = {
  readonly case: "bad" | "done" | "ready";
  readonly text: string;
  /** The assignment, and the roles that it gets. */
  readonly row?: Authorization;
  readonly added?: readonly string[];
};

/** Says what each line would do, before anything is written, by the numbers of the lines. */
export async function check(
  transport: Transport,
  queries: QueryClient,
  caller: GetCallerResponse | undefined,
  lines: readonly Line[],
  signal: AbortSignal,
): Promise<ReadonlyMap<number, Verdict>> {
  const verdicts = new Map<number, Verdict>();
  const find = resolver(transport, queries, signal);
  const [personOf, projectOf, organizationOf] = await Promise.all([
    find.people(lines.map(({ person }) => person)),
    find.projects(lines.map(({ project }) => project)),
    find.organizations(lines.map(({ organization }) => organization)),
  ]);
  const placed = lines.flatMap((line) => {
    const [user, project] = [personOf(line.person), projectOf(line.project)];
    const organization = organizationOf(line.organization);
    if ("item" in user && "item" in project && "item" in organization) {
      return [{ line, row: newRow(user.item, { project: project.item, organization: organization.item }) }];
    }
    const problem = user.problem ?? project.problem ?? organization.problem ?? "";
    verdicts.set(line.number, { case: "bad", text: problem });
    return [];
  });
  const rows = placed.map(({ row }) => row);
  const [there, offers] = await Promise.all([rowsNow(transport, rows, signal), offersFor(transport, rows, signal)]);
  const judge = judging(caller, offers);
  for (const { line, row } of placed) verdicts.set(line.number, judge(line, there.get(row.id) ?? row));
  return verdicts;
}

/** Judges line after line: a later line for the same assignment adds only what earlier ones don't. */
function judging(caller: GetCallerResponse | undefined, offers: Offers) {
  const earlier = new Map<string, { readonly number: number; readonly keys: ReadonlySet<string> }>();
  return ({ number, roles }: Line, row: Authorization): Verdict => {
    const { keys, problem } = keysNamed(roles, row, offers.get(placeKey(row)));
    if (problem !== undefined) return { case: "bad", text: problem };
    const before = earlier.get(slotOf(row));
    const added = keys.filter((key) => !before?.keys.has(key));
    if (before && added.length === 0) return { case: "done", text: words.isTwin(before.number) };
    const gift: Gift = { kind: "give", wishes: wishesFor([row], { added }) };
    if (isDone(gift, row)) return { case: "done", text: staying(row, words.isThere) };
    const why = planOf(gift, [row], caller, offers).leftOut[0]?.why;
    if (why !== undefined) return { case: "bad", text: why };
    earlier.set(slotOf(row), { number, keys: new Set([...(before?.keys ?? []), ...added]) });
    return { case: "ready", text: staying(row, givenTo(gift, row, offers)), row, added };
  };
}

function staying(row: Authorization, text: string): string {
  return isNew(row) || isActive(row) ? text : words.inactive(text);
}

type Keys = { readonly keys: readonly string[]; readonly problem?: string };

/** The roles by key, otherwise by name: among those that can be assigned there, and those that are held there. */
function keysNamed(
  texts: readonly string[],
  row: Authorization,
  offered: ReadonlyMap<string, RoleChoice> | undefined,
): Keys {
  const held = keysOf(row);
  const named = [...(offered?.values() ?? []), ...row.roles.filter(({ key }) => !offered?.has(key))];
  const keys: string[] = [];
  for (const text of texts) {
    const same = named.filter(({ displayName }) => displayName.toLowerCase() === text.toLowerCase());
    const found = offered?.has(text) || held.has(text) ? [text] : same.map(({ key }) => key);
    if (found.length > 1) return { keys, problem: words.problems.ambiguous(words.problems.of.roles, text, found) };
    if (found[0] === undefined) return { keys, problem: words.problems.noRole(text, placeName(row)) };
    keys.push(found[0]);
  }
  return { keys: [...new Set(keys)] };
}
