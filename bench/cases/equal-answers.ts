import { isDeepStrictEqual } from "node:util";
import { askOurs, askRival, type Bench } from "../bench.ts";
import { type CallerKind, callerKinds } from "../callers.ts";
import { ask, type Post } from "../load.ts";

const contains = "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE";
const requests = [
  { pagination: { limit: 100 } },
  { pagination: { limit: 7, offset: 3, asc: true } },
  { filters: [{ userDisplayName: { displayName: "QUILLf", method: contains } }] },
];

/** Throws unless the rival answers every caller what the service answers: nothing is won by answering less. */
export async function requireEqualAnswers(bench: Bench): Promise<void> {
  for (const kind of Object.keys(callerKinds) as CallerKind[]) {
    for (const request of requests) {
      const ours = askOurs(bench, kind, "ListAuthorizations", request);
      await equalAnswer(ours, askRival(bench, kind, "list", request), callerKinds[kind]);
    }
  }
}

/** What both answer. The rival pages by offset only, so it has no token of the next page. */
export async function equalAnswer(ours: Post, rival: Post, caller: string) {
  const [found, theirs] = [await ask(ours), await ask(rival)].map((bytes) => JSON.parse(bytes.toString()));
  delete found.pagination.nextPageToken;
  if (!isDeepStrictEqual(found, theirs)) {
    const difference = firstDifference(found, theirs, "answer");
    throw new Error(`ours and the rival answer ${caller} differently: ${difference}`);
  }
  return found;
}

function firstDifference(ours: unknown, rival: unknown, where: string): string | undefined {
  if (isDeepStrictEqual(ours, rival)) return undefined;
  if (!isRecord(ours) || !isRecord(rival)) return `${where}: ${JSON.stringify(ours)}, rival ${JSON.stringify(rival)}`;
  const names = [...new Set([...Object.keys(ours), ...Object.keys(rival)])];
  return names.map((name) => firstDifference(ours[name], rival[name], `${where}.${name}`)).find(Boolean);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
