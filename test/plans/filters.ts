import type { Filter, TextMatch } from "../../src/authorization/list.ts";
import { at, type Filtered, filtered } from "./event-lists.ts";
import type { Samples } from "./samples.ts";

const one = filtered<Filter>;

/** Every kind of filter, with values that match few and many, and a few together. */
export function allFilters(samples: Samples): Filtered<Filter>[] {
  const largest: Filter = { kind: "organizationId", id: samples.largest_organization };
  const largeProject: Filter = { kind: "projectId", id: samples.large_project };
  const active: Filter = { kind: "state", state: "active" };
  const inactive: Filter = { kind: "state", state: "inactive" };
  const rareRole: Filter = { kind: "roleKey", match: match("equals", samples.rare_role) };
  const commonRole: Filter = { kind: "roleKey", match: match("equals", "viewer") };
  const login = loginNames(samples);
  return [
    one("none"),
    one("10 authorization ids", { kind: "authorizationIds", ids: samples.authorization_ids }),
    one("largest organization", largest),
    one("small organization", { kind: "organizationId", id: samples.small_organization }),
    one("active", active),
    one("inactive", inactive),
    one("10 user ids", { kind: "inUserIds", ids: samples.user_ids }),
    one("user id", { kind: "userId", id: samples.user_id }),
    one("users of the largest organization", { kind: "userOrganizationId", id: samples.largest_organization }),
    one("users of a small organization", { kind: "userOrganizationId", id: samples.small_organization }),
    ...texts("login name", "userPreferredLoginName", login),
    ...texts("display name", "userDisplayName", displayNames(samples)),
    one("display name contains, many", { kind: "userDisplayName", match: match("contains", "AN", true) }),
    one("large project", largeProject),
    one("small project", { kind: "projectId", id: samples.small_project }),
    one("project name equals", { kind: "projectName", match: match("equals", samples.small_project_name) }),
    one("project name contains", { kind: "projectName", match: match("contains", "SHOP 12", true) }),
    one("rare role", rareRole),
    one("common role", commonRole),
    one("role contains", { kind: "roleKey", match: match("contains", "TRAINER-1", true) }),
    one("project grant", { kind: "projectGrantId", id: samples.project_grant }),
    one("no project grant", { kind: "projectGrantId", id: "" }),
    one("largest organization and inactive", largest, inactive),
    one("large project and active", largeProject, active),
    one("largest organization and large project", largest, largeProject),
    one("largest organization and rare role", largest, rareRole),
    one("largest organization and common role", largest, commonRole),
    one(
      "login name contains and active",
      { kind: "userPreferredLoginName", match: match("contains", login.contains) },
      active,
    ),
    ...newerFilters(samples),
    ...nestedFilters(samples),
  ];
}

function newerFilters(samples: Samples): Filtered<Filter>[] {
  const name = samples.small_organization_name;
  const day = { from: at("2025-06-01"), to: at("2025-06-02") };
  const half = at("2025-01-01");
  return [
    one("organization name equals", { kind: "organizationName", match: match("equals", name) }),
    one("organization name contains", { kind: "organizationName", match: match("contains", name.slice(1), true) }),
    one("10 project ids", { kind: "projectIds", ids: samples.project_ids }),
    one("2 rare roles", { kind: "roleKeys", keys: [samples.rare_role, "nobody has this"] }),
    one("2 common roles", { kind: "roleKeys", keys: ["viewer", "editor"] }),
    one("created on a day", { kind: "created", range: day }),
    one("created since half of the time", { kind: "created", range: { from: half, to: undefined } }),
    one("changed on a day", { kind: "changed", range: day }),
    one("changed before half of the time", { kind: "changed", range: { from: undefined, to: half } }),
    one("largest organization and changed on a day", organization(samples.largest_organization), {
      kind: "changed",
      range: day,
    }),
  ];
}

/** Each way in which they are put together (src/postgres/list/matching.ts). */
function nestedFilters(samples: Samples): Filtered<Filter>[] {
  const rareRole: Filter = { kind: "roleKey", match: match("equals", samples.rare_role) };
  const commonRole: Filter = { kind: "roleKey", match: match("equals", "viewer") };
  const login: Filter = { kind: "userPreferredLoginName", match: match("equals", samples.login_name) };
  const user: Filter = { kind: "userId", id: samples.user_id };
  const project: Filter = { kind: "projectId", id: samples.small_project };
  const largest = organization(samples.largest_organization);
  const inactive: Filter = { kind: "state", state: "inactive" };
  const not = (filter: Filter): Filter => ({ kind: "not", filter });
  const anyOf = (...filters: Filter[]): Filter => ({ kind: "anyOf", filters });
  const allOf = (...filters: Filter[]): Filter => ({ kind: "allOf", filters });
  return [
    one("not rare role", not(rareRole)),
    one("not common role", not(commonRole)),
    one("not login name equals", not(login)),
    one("not small project", not(project)),
    one("user and not rare role", user, not(rareRole)),
    one("any of user and small project", anyOf(user, project)),
    one("any of user, login name and rare role", anyOf(user, login, rareRole)),
    one("any of user and common role", anyOf(user, commonRole)),
    one("any of rare role and what is inactive in the largest organization", anyOf(rareRole, allOf(largest, inactive))),
    one("any of user and not rare role", anyOf(user, not(rareRole))),
    one("any of rare role and not common role", anyOf(rareRole, not(commonRole))),
    one("neither rare role nor login name", not(anyOf(rareRole, login))),
    one("not both common role and largest organization", not(allOf(commonRole, largest))),
    one("user and any of common role and login name", user, anyOf(commonRole, login)),
    one("any of two, and any of two others", anyOf(rareRole, login), anyOf(user, commonRole)),
  ];
}

function organization(id: string): Filter {
  return { kind: "organizationId", id };
}

type Texts = Readonly<Record<TextMatch["method"], string>>;

/** Of anna.quillfeather17@org0.example. */
function loginNames({ login_name: whole }: Samples): Texts {
  const [local = "", domain = ""] = whole.split("@");
  const number = /\d+$/.exec(local)?.[0] ?? "";
  const contains = `${local.slice(-number.length - 4)}@`;
  return { equals: whole, startsWith: local, contains, endsWith: `${number}@${domain}` };
}

/** Of Anna Quillfeather. */
function displayNames({ display_name: whole }: Samples): Texts {
  return { equals: whole, startsWith: whole.slice(0, -7), contains: "uillfeath", endsWith: "Quillfeather" };
}

function texts(name: string, kind: "userPreferredLoginName" | "userDisplayName", values: Texts): Filtered<Filter>[] {
  const wording = { equals: "equals", startsWith: "starts", contains: "contains", endsWith: "ends" } as const;
  return Object.entries(wording).flatMap(([method, verb]) => {
    const key = method as keyof Texts;
    const text = values[key];
    return [
      { name: `${name} ${verb}`, filters: [{ kind, match: match(key, text) }] },
      { name: `${name} ${verb}, any case`, filters: [{ kind, match: match(key, text.toUpperCase(), true) }] },
    ];
  });
}

function match(method: TextMatch["method"], text: string, ignoreCase = false): TextMatch {
  return { text, method, ignoreCase };
}
