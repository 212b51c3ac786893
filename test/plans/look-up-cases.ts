import type { TextMatch } from "../../src/authorization/list.ts";
import type { LookUpQuery, OrganizationFilter, ProjectFilter, UserFilter } from "../../src/directory/look-ups.ts";
import { pageSize } from "./bound.ts";
import type { Samples } from "./samples.ts";

/** One look-up, of which kind of things, and how many rows it may read. */
export type LookUpCase = {
  readonly name: string;
  readonly things: "organizations" | "projects" | "places" | "users";
  readonly query: LookUpQuery<OrganizationFilter | ProjectFilter | UserFilter>;
};

/** Every kind of look-up, with filters that match few and many. */
export function allLookUps(samples: Samples): LookUpCase[] {
  const largest = { kind: "inOrganizationId", id: samples.largest_organization } as const;
  const text = (method: TextMatch["method"], value: string, ignoreCase = true) => ({ text: value, method, ignoreCase });
  const nameOf = (method: TextMatch["method"], value: string) => ({
    kind: "name" as const,
    match: text(method, value),
  });
  const login = text("equals", samples.login_name, false);
  const words = (value: string) => ({ kind: "search" as const, text: value });
  const middle = { after: { name: "m", id: "", organizationId: "" } };
  return [
    lookUp("organizations", "organizations"),
    lookUp("organizations by part of name", "organizations", [nameOf("contains", "logist")]),
    lookUp("organizations by words", "organizations", [words("logist")]),
    lookUp("projects", "projects"),
    lookUp("projects, from the middle", "projects", [], middle),
    lookUp("projects by part of name", "projects", [nameOf("contains", "shop")]),
    lookUp("projects by words", "projects", [words("shop")]),
    lookUp("projects of the largest organization", "projects", [largest]),
    lookUp("assignable", "places"),
    lookUp("assignable, from the middle", "places", [], middle),
    lookUp("assignable by part of name", "places", [nameOf("contains", "shop")]),
    lookUp("assignable by words", "places", [words("shop")]),
    lookUp("assignable in the largest organization", "places", [largest]),
    lookUp("users", "users"),
    lookUp("users without the total", "users", [], { skipTotal: true }),
    lookUp("users without the total, from the middle", "users", [], { skipTotal: true, ...middle }),
    lookUp("users by ids", "users", [{ kind: "ids", ids: samples.user_ids }]),
    lookUp("users by login name", "users", [{ kind: "preferredLoginName", match: login }]),
    lookUp("users by beginning", "users", [{ kind: "displayName", match: text("startsWith", "anna s") }]),
    lookUp("users by part of name", "users", [nameOf("contains", "uillfeath")]),
    lookUp("users by part of many names", "users", [nameOf("contains", "an")]),
    lookUp("users by part of many names, without the total", "users", [nameOf("contains", "an")], { skipTotal: true }),
    lookUp("users by words", "users", [words("uillfe")]),
    lookUp("users by words of many", "users", [words("an")]),
    lookUp("users by words of many, without the total", "users", [words("an")], { skipTotal: true }),
    lookUp("users of the largest organization", "users", [{ ...largest, kind: "organizationId" }]),
    lookUp("users of a small organization", "users", [{ kind: "organizationId", id: samples.small_organization }]),
  ];
}

function lookUp(
  name: string,
  things: LookUpCase["things"],
  filters: LookUpCase["query"]["filters"] = [],
  rest: Partial<LookUpCase["query"]> = {},
): LookUpCase {
  const page = { after: undefined, offset: 0n, limit: pageSize, skipTotal: false };
  return { name, things, query: { ...page, filters, ...rest } };
}
