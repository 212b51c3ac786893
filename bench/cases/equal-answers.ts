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
        throw new Error(`ours and the rival answer ${callerKinds[kind]} differently`);
      }
    }
  }
}
