import type { Filter, TextMatch } from "../../src/authorization/list.ts";
import type { Samples } from "./samples.ts";

/** What a list is filtered by, under the name the report and the exceptions know it by. */
export type Filtered = { readonly name: string; readonly filters: readonly Filter[] };

/** Every kind of filter, with values that match few and many, and a few together. */
export function allFilters(samples: Samples): Filtered[] {
  const one = (name: string, ...filters: Filter[]): Filtered => ({ name, filters });
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
    one("10 user ids", { kind: "userIds", ids: samples.user_ids }),
    one("user id", { kind: "userId", id: samples.user_id }),
    one("users of the largest organization", { kind: "userOrganizationId", id: samples.largest_organization }),
    one("users of a small organization", { kind: "userOrganizationId", id: samples.small_organization }),
    ...texts("login name", "userLoginName", login),
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
    one("login name contains and active", { kind: "userLoginName", match: match("contains", login.contains) }, active),
  ];
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

function texts(name: string, kind: "userLoginName" | "userDisplayName", values: Texts): Filtered[] {
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
