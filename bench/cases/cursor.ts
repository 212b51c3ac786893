import { askOurs, type Bench, type Case, compare } from "../bench.ts";
import type { CallerKind } from "../callers.ts";
import { ask } from "../load.ts";
import { httpSide } from "../sides.ts";
import { latency } from "./pages.ts";

const farthest = 10_000;

/** A page far behind the first one, by its token: it must cost what the first one costs. */
export const cursorCase: Case = {
  name: "cursor",
  title: "page 10,000 by cursor ÷ page 1, instance owner",
  run: (bench) => comparePages(bench, "instance"),
};

async function comparePages(bench: Bench, kind: CallerKind) {
  const { page, token } = await walk(bench, kind);
  const first = askOurs(bench, kind, "ListAuthorizations", { pagination: { limit: 100 } });
  const far = askOurs(bench, kind, "ListAuthorizations", { pagination: { limit: 100, pageToken: token } });
  const sides = [httpSide("page 1", first), httpSide("far page", far)];
  const measurements = await compare(bench, { load: latency, connections: 2, sides });
  const [near, farther] = measurements;
  return {
    measurements,
    numbers: { "p50 far ÷ first": (farther?.p50 ?? Number.NaN) / (near?.p50 ?? Number.NaN), "far page": page },
    notes: page === farthest ? [] : [`The world is too small for page ${farthest}: the far one is page ${page}.`],
  };
}

/** Walks to the token of the page, by the thousand while that is possible. */
async function walk(bench: Bench, kind: CallerKind): Promise<{ page: number; token: string }> {
  // In a small world the last page.
  const page = Math.min(farthest, Math.floor(bench.options.rows / 100));
  let left = (page - 1) * 100;
  let token = "";
  while (left > 0) {
    const limit = Math.min(1_000, left);
    const pagination = { limit, pageToken: token, skipTotal: true };
    const answer = JSON.parse((await ask(askOurs(bench, kind, "ListAuthorizations", { pagination }))).toString());
    token = answer.pagination.nextPageToken;
    left -= answer.authorizations.length;
    if (token === "" && left > 0) throw new Error(`no next page, ${left} rows before the far page`);
  }
  return { page, token };
}
