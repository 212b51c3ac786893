import type { AuthorizationsSearchFilter, State, TextFilterMethod } from "@authorization-service/client";
import { asFilter } from "./kinds.ts";
import type { Range } from "./moments.ts";

type Filter = AuthorizationsSearchFilter;

/**
 * The content of a filter, by the form that it needs. `having` returns a filter of the same kind with other content.
 */
export type Content =
  | {
      readonly shape: "text";
      readonly text: string;
      readonly method: TextFilterMethod;
      readonly having: (text: string, method: TextFilterMethod) => Filter;
    }
  | {
      readonly shape: "id";
      readonly of: "user" | "organization" | "project";
      readonly id: string;
      readonly having: (id: string) => Filter;
    }
  | { readonly shape: "grant"; readonly id: string; readonly having: (id: string) => Filter }
  | {
      readonly shape: "list";
      readonly of: "user" | "project" | "role" | "assignment";
      readonly list: readonly string[];
      readonly having: (list: readonly string[]) => Filter;
    }
  | { readonly shape: "state"; readonly state: State; readonly having: (state: State) => Filter }
  | { readonly shape: "range"; readonly range: Range; readonly having: (range: Range) => Filter }
  | {
      readonly shape: "several";
      readonly filters: readonly Filter[];
      readonly having: (filters: readonly Filter[]) => Filter;
    }
  | { readonly shape: "not"; readonly filter: Filter; readonly having: (filter: Filter) => Filter };

/** The content of a filter; undefined for an empty filter, which the service refuses. */
export function contentOf({ filter }: Filter): Content | undefined {
  const { case: kind, value } = filter;
  switch (kind) {
    case "userDisplayName": {
      const { displayName: text, method } = value;
      return {
        shape: "text",
        text,
        method,
        having: (displayName, method) => asFilter({ case: kind, value: { displayName, method } }),
      };
    }
    case "userPreferredLoginName": {
      const { loginName: text, method } = value;
      return {
        shape: "text",
        text,
        method,
        having: (loginName, method) => asFilter({ case: kind, value: { loginName, method } }),
      };
    }
    case "organizationName":
    case "projectName": {
      const { name: text, method } = value;
      return {
        shape: "text",
        text,
        method,
        having: (name, method) => asFilter({ case: kind, value: { name, method } }),
      };
    }
    case "roleKey": {
      const { key: text, method } = value;
      return { shape: "text", text, method, having: (key, method) => asFilter({ case: kind, value: { key, method } }) };
    }
    case "userId":
      return { shape: "id", of: "user", id: value.id, having: (id) => asFilter({ case: kind, value: { id } }) };
    case "projectId":
      return { shape: "id", of: "project", id: value.id, having: (id) => asFilter({ case: kind, value: { id } }) };
    case "organizationId":
    case "userOrganizationId":
      return { shape: "id", of: "organization", id: value.id, having: (id) => asFilter({ case: kind, value: { id } }) };
    case "projectGrantId":
      return { shape: "grant", id: value.id, having: (id) => asFilter({ case: kind, value: { id } }) };
    case "inUserIds":
    case "projectIds":
    case "authorizationIds":
      return {
        shape: "list",
        of: listed[kind],
        list: value.ids,
        having: (ids) => asFilter({ case: kind, value: { ids: [...ids] } }),
      };
    case "roleKeys":
      return {
        shape: "list",
        of: "role",
        list: value.keys,
        having: (keys) => asFilter({ case: kind, value: { keys: [...keys] } }),
      };
    case "state":
      return { shape: "state", state: value.state, having: (state) => asFilter({ case: kind, value: { state } }) };
    case "created":
    case "changed":
      return {
        shape: "range",
        range: value,
        having: ({ from, to }) => asFilter({ case: kind, value: { ...(from && { from }), ...(to && { to }) } }),
      };
    case "anyOf":
    case "allOf":
      return {
        shape: "several",
        filters: value.filters,
        having: (filters) => asFilter({ case: kind, value: { filters: [...filters] } }),
      };
    case "not":
      return { shape: "not", filter: value, having: (filter) => asFilter({ case: kind, value: filter }) };
    case undefined:
      return undefined;
    default:
      return kind satisfies never;
  }
}

const listed = { inUserIds: "user", projectIds: "project", authorizationIds: "assignment" } as const;
