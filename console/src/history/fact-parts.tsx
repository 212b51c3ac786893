import type { ReactNode } from "react";
import { OrganizationLink, PersonLink, ProjectLink, personName } from "../parts/links.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { directoryHistoryWords as words } from "../words/directory-history.ts";
import { locale } from "../words/language/language.ts";
import { pageWords } from "../words/pages.ts";
import { type Difference, onlyIn, type Value } from "./change.ts";
import type { Names } from "./names.ts";

/** The names in the line of an event, as far as the reader may know them. */
export function partsOf(names: Names, hasLinks: boolean) {
  function person(id: string, name: string = words.someone): ReactNode {
    const user = names.userOf(id);
    if (hasLinks && user) return <PersonLink user={user} />;
    return isolated(user ? personName(user) : name);
  }

  function organization(id: string): ReactNode {
    const found = names.organizationOf(id);
    return hasLinks ? (
      <OrganizationLink organization={found} />
    ) : (
      isolated(found?.name || pageWords.anotherOrganization)
    );
  }

  function project(id: string): ReactNode {
    const found = names.projectOf(id);
    return hasLinks ? <ProjectLink project={found} /> : isolated(found?.name || pageWords.anotherProject);
  }

  function place(of: Value | undefined): ReactNode {
    if (of?.kind === "organization") return organization(of.id);
    if (of?.kind === "project") return project(of.id);
    return of?.kind === "grant" ? words.grant : words.everything;
  }

  return { person, organization, project, place };
}

/** A name can be in a script that is written from the right. */
export function isolated(name: string): ReactNode {
  return <bdi>{name}</bdi>;
}

const list = new Intl.ListFormat(locale, { type: "conjunction" });

/** The names of fields: "the name and the login name". */
export function fieldsText(changed: readonly Difference[]): string {
  return list.format(changed.map(({ field }) => words.theField(words.fields[field])));
}

/** The most roles in a line. */
const most = 5;

/** The roles that an event gave and took, by name, and whether these are all. */
export function rolesText(
  { before, after }: Partial<Difference> = {},
  isChange: boolean,
  names: Names,
): { readonly text: string; readonly isWhole: boolean } {
  const [given, taken] = [onlyIn(after, before), onlyIn(before, after)];
  const of = after ?? before;
  const projectId = of?.kind === "roles" ? of.projectId : undefined;

  function named(keys: readonly string[]): string {
    const shown = keys.slice(0, most).map((key) => nameOf(names.roleOf(projectId, key)));
    return list.format(keys.length > most ? [...shown, words.andMore(keys.length - most)] : shown);
  }

  const isWhole = given.length <= most && taken.length <= most;
  if (!isChange) return { text: named([...given, ...taken]) || words.noRoles, isWhole };
  const parts = [
    ...(given.length > 0 ? [words.rolesAdded(named(given))] : []),
    ...(taken.length > 0 ? [words.rolesRemoved(named(taken))] : []),
  ];
  return { text: parts.join("; "), isWhole };
}
