import { askOurs, type Case, compare } from "../bench.ts";
import type { CallerKind } from "../callers.ts";
import { ask } from "../load.ts";
import { httpSide } from "../sides.ts";
import { latency } from "./pages.ts";

const contains = "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE";
const searches: { name: string; title: string; kind: CallerKind; filter: object }[] = [
  {
    name: "search-name",
    title: "selective search: display name contains “quillf”, instance owner",
    kind: "instance",
    filter: { userDisplayName: { displayName: "quillf", method: contains } },
  },
  {
    name: "search-login",
    title: "selective search: login name contains “4711”, instance owner",
    kind: "instance",
    filter: { userPreferredLoginName: { loginName: "4711", method: contains } },
  },
  {
    name: "search-largest",
    title: "selective search: display name contains “quillf”, owner of the largest organization",
    kind: "largest",
    filter: { userDisplayName: { displayName: "quillf", method: contains } },
  },
  {
    name: "search-many",
    title: "search that many match: display name contains “an”, owner of the largest organization",
    kind: "largest",
    filter: { userDisplayName: { displayName: "an", method: contains } },
  },
];

export const searchCases: Case[] = searches.map(({ name, title, kind, filter }) => ({
  name,
  title,
  async run(bench) {
    const post = askOurs(bench, kind, "ListAuthorizations", { filters: [filter] });
    const { pagination } = JSON.parse((await ask(post)).toString());
    const sides = [httpSide("ours, JSON", post)];
    return {
      measurements: await compare(bench, { load: latency, connections: 2, sides }),
      numbers: { "authorizations found": pagination.totalResult },
      notes: [],
    };
  },
}));
