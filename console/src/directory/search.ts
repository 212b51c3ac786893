import { isText } from "../assignments/search.ts";

/** Parameters of an address that are texts, such as ids and names. */
export type Texts<Name extends string> = { readonly [Key in Name]?: string };

/** The page token of a page, and how many rows come before it. */
export type Place = { readonly page?: string; readonly skipped?: number };

/** Reads the texts of these names from the parameters of an address. */
export function readTexts<Name extends string>(search: Record<string, unknown>, names: readonly Name[]): Texts<Name> {
  const read = names.map((name) => [name, search[name]] as const).filter(([, value]) => isText(value));
  return Object.fromEntries(read.map(([name, value]) => [name, String(value)])) as Texts<Name>;
}

export function readPlace({ page, skipped }: Record<string, unknown>): Place {
  return {
    ...(isText(page) && { page: String(page) }),
    ...(isText(page) && Number.isSafeInteger(skipped) && { skipped: skipped as number }),
  };
}

/** Filters to set. Undefined removes a filter. */
export type Changed<Search> = { readonly [Name in keyof Search]?: Search[Name] | undefined };

/** The parameters with other filters, on the first page. */
export function withTexts<Search extends Place>(search: Search, changed: Changed<Search>): Search {
  const { page: _, skipped: __, ...rest } = search;
  const kept = Object.entries({ ...rest, ...changed }).filter(([, value]) => value !== undefined && value !== "");
  return Object.fromEntries(kept) as Search;
}

/** The address of a page about one thing. */
export function readThingSearch(search: Record<string, unknown>): Texts<"id"> {
  return readTexts(search, ["id"]);
}

/** The address of a list of people, projects or organizations. */
export type NamedListSearch = Texts<"name" | "organization"> & Place & { readonly open?: true };

export function readNamedListSearch(search: Record<string, unknown>): NamedListSearch {
  const open = search.open === true && { open: true as const };
  return { ...readTexts(search, ["name", "organization"]), ...readPlace(search), ...open };
}

/** The address of a page about a role. */
export function readRoleSearch(search: Record<string, unknown>): Texts<"project" | "key"> {
  return readTexts(search, ["project", "key"]);
}
