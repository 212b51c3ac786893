import {
  AuthorizationService,
  type AuthorizationsSearchFilter,
  State,
  TextFilterMethod,
} from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { type LookUp, lookUps } from "../directory/look-ups.ts";
import { nameOf } from "../parts/role-chips.tsx";
import { filterWords } from "../words/filters.ts";
import { contentOf, within } from "./content.ts";
import { inWords, type Range } from "./moments.ts";

const words = filterWords.inWords;

/** A piece of a sentence: a text, or a thing that is shown by its name. */
export type Word = string | Thing;

export type Thing =
  | { readonly thing: "user" | "project" | "organization" | "grant"; readonly id: string }
  /** A role is named in its project. */
  | { readonly thing: "role"; readonly id: string; readonly project: string };

/** How many items of a list are shown. */
const mostTold = 3;

type Props = {
  filter: AuthorizationsSearchFilter;
  /** All filters. They may leave only one project. */
  beside: readonly AuthorizationsSearchFilter[];
};

/** A filter in words, with names in place of ids. */
export function FilterWords({ filter, beside }: Props) {
  return wordsOf(filter, projectIn(beside)).map((word, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words are told apart by their places alone.
    <bdi key={place}>{typeof word === "string" ? word : <Name named={word} />}</bdi>
  ));
}

/**
 * The filter in words of a support person, such as “Project name contains “sell””. The roles are those of `project`, if
 * other filters leave only one.
 */
export function wordsOf(filter: AuthorizationsSearchFilter, project?: string): readonly Word[] {
  const content = contentOf(filter);
  if (content === undefined) return [words.unknown];
  const { subject } = filterWords.kinds[content.kind];
  switch (content.shape) {
    case "text":
      return [
        words.compares(subject, methodNames.get(content.method) ?? words.comparesWith),
        words.quoted(content.value),
      ];
    case "id":
      return [words.is(subject), content.value === "" ? words.nothing : { thing: content.of, id: content.value }];
    case "grant":
      return content.value === ""
        ? [words.isOwned(subject)]
        : [words.isGranted(subject), { thing: "grant", id: content.value }];
    case "list": {
      const named = content.value.map((id) => [namedIn(content.of, id, project)]);
      return [words.is(subject), ...joined(named, words.comma, words.or, words.orMore)];
    }
    case "state":
      return [words.isState(subject, stateNames[content.value] ?? words.unknownState)];
    case "range":
      return [subject, rangeWords(content.value)];
    case "several": {
      const within = content.kind === "allOf" ? (projectIn(content.value) ?? project) : project;
      const parts = content.value.map((one) => enclosed(one, within));
      return [words.of(subject), ...joined(parts, words.semicolon, words.semicolon, words.andMore)];
    }
    case "not":
      return isAnyRole(content.value) ? [words.noRoles] : [words.of(subject), ...enclosed(content.value, project)];
  }
}

/** Every key has the empty text in it. */
function isAnyRole({ filter }: AuthorizationsSearchFilter): boolean {
  return filter.case === "roleKey" && filter.value.key === "" && filter.value.method === TextFilterMethod.CONTAINS;
}

/** The project of everything that matches all of the filters, if they name it. */
export function projectIn(filters: readonly AuthorizationsSearchFilter[]): string | undefined {
  for (const { filter } of filters) {
    if (filter.case === "projectId") return filter.value.id;
    if (filter.case === "projectIds" && filter.value.ids.length === 1) return filter.value.ids[0];
  }
  return undefined;
}

/** Those that people usually mean come first: they ignore case. Any other value comes from a newer service. */
export const methodNames: ReadonlyMap<TextFilterMethod, string> = new Map([
  [TextFilterMethod.CONTAINS_IGNORE_CASE, words.methods.containsIgnoreCase],
  [TextFilterMethod.EQUALS_IGNORE_CASE, words.methods.equalsIgnoreCase],
  [TextFilterMethod.STARTS_WITH_IGNORE_CASE, words.methods.startsIgnoreCase],
  [TextFilterMethod.ENDS_WITH_IGNORE_CASE, words.methods.endsIgnoreCase],
  [TextFilterMethod.CONTAINS, words.methods.contains],
  [TextFilterMethod.EQUALS, words.methods.equals],
  [TextFilterMethod.STARTS_WITH, words.methods.starts],
  [TextFilterMethod.ENDS_WITH, words.methods.ends],
]);

export const stateNames: Readonly<Record<State, string | undefined>> = {
  [State.UNSPECIFIED]: undefined,
  [State.ACTIVE]: words.states.active,
  [State.INACTIVE]: words.states.inactive,
};

function namedIn(of: "user" | "project" | "role" | "assignment", id: string, project: string | undefined): Word {
  if (of === "role" && project !== undefined) return { thing: of, id, project };
  return of === "role" || of === "assignment" ? id : { thing: of, id };
}

export function rangeWords({ from, to }: Range): string {
  if (from === undefined) return to === undefined ? words.anyTime : words.before(inWords(to));
  return to === undefined ? words.since(inWords(from)) : words.between(inWords(from), inWords(to));
}

/** The first parts of a list, and how many there are beside them. */
function joined(
  parts: readonly (readonly Word[])[],
  between: string,
  beforeLast: string,
  more: (count: number) => string,
): readonly Word[] {
  if (parts.length === 0) return [words.nothing];
  const told = parts.slice(0, mostTold).flatMap((part, place) => {
    const before = place === parts.length - 1 ? beforeLast : between;
    return place === 0 ? part : [before, ...part];
  });
  return parts.length > mostTold ? [...told, more(parts.length - mostTold)] : told;
}

/** For groups within groups, brackets show what belongs together. */
function enclosed(filter: AuthorizationsSearchFilter, project: string | undefined): readonly Word[] {
  const told = wordsOf(filter, project);
  return within(filter).length > 0 ? ["(", ...told, ")"] : told;
}

type Named = { readonly name?: string; readonly displayName?: string; readonly preferredLoginName?: string };

/** The name of a thing by its id. Shows the id if the caller doesn't see the thing. */
export function Name({ named }: { named: Thing }) {
  if (named.thing === "grant") return <GrantName id={named.id} />;
  if (named.thing === "role") return <RoleName {...named} />;
  return <NameOf thing={named.thing} id={named.id} />;
}

// One at a time, because only a single id finds a user that the caller doesn't see.
function NameOf({ thing, id }: { thing: keyof typeof lookUps; id: string }) {
  const lookUp: Pick<LookUp<Named>, "useFound"> = lookUps[thing];
  const { items, isLoading } = lookUp.useFound([id]);
  const { name, displayName, preferredLoginName } = items?.[0] ?? {};
  return nameOrId(name || displayName || preferredLoginName, id, isLoading);
}

function RoleName({ id, project }: { id: string; project: string }) {
  const { items, isLoading } = lookUps.project.useFound([project]);
  const role = items?.[0]?.roles.find(({ key }) => key === id);
  return nameOrId(role && nameOf(role), id, isLoading);
}

/** No look-up finds a grant by its id, but the assignments on it say what it grants. */
function GrantName({ id }: { id: string }) {
  const { data, isLoading } = useQuery(AuthorizationService.method.listAuthorizations, {
    filters: [{ filter: { case: "projectGrantId", value: { id } } }],
    pagination: { limit: 1, skipTotal: true },
  });
  const { project, organization } = data?.authorizations[0] ?? {};
  const isKnown = project?.name && organization?.name;
  return nameOrId(isKnown && words.grant(project.name, organization.name), id, isLoading);
}

/** While it is asked for, neither: an id would look like the name. */
function nameOrId(name: string | undefined, id: string, isLoading: boolean): string {
  return name || (isLoading ? "…" : id);
}
