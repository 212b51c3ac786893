import { isDeepStrictEqual } from "node:util";
import { askOurs, askRival, type Bench } from "../bench.ts";
import { type CallerKind, callerKinds } from "../callers.ts";
import { ask } from "../load.ts";

const pages = [{ limit: 100 }, { limit: 7, offset: 3, asc: true }];

/** Throws unless the rival answers every caller what the service answers: nothing is won by answering less. */
export async function requireEqualAnswers(bench: Bench): Promise<void> {
  for (const kind of Object.keys(callerKinds) as CallerKind[]) {
    for (const pagination of pages) {
      const ours = JSON.parse((await ask(askOurs(bench, kind, "ListAuthorizations", { pagination }))).toString());
      const rival = JSON.parse((await ask(askRival(bench, kind, "list", { pagination }))).toString());
      // The rival pages by offset only.
      delete ours.pagination.nextPageToken;
      if (!isDeepStrictEqual(ours, rival)) {
        const difference = firstDifference(ours, rival, "answer");
        throw new Error(`ours and the rival answer ${callerKinds[kind]} differently: ${difference}`);
      }
    }
  }
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
