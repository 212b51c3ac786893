import { TextFilterMethod } from "@authorization-service/client";
import type { User } from "@authorization-service/client/directory";
import { keepPreviousData } from "@tanstack/react-query";
import { type LookUp, organizations, projects, users } from "../directory/look-ups.ts";
import { useNamesOfOrganizations } from "../directory/organization-names.ts";
import { withId, withWords } from "../directory/requests.ts";
import type { Removable } from "../history/removals.ts";
import { Avatar } from "../parts/avatar.tsx";
import { PersonFacts } from "../parts/person-facts.tsx";
import { pickerWords } from "../words/pickers.ts";
import { removedWords } from "../words/removed.ts";
import { askingOf, mostOffered } from "./found.ts";
import { Picker, type PickerProps, SeveralPicker, type SeveralPickerProps } from "./picker.tsx";
import { type Ever, useFoundRemoved } from "./removed.ts";
import type { Pickable } from "./use-search.ts";

type Person = Ever<User>;
type Named = Ever<{ readonly id: string; readonly name: string }>;

const { EQUALS } = TextFilterMethod;
const pagination = { limit: mostOffered, skipTotal: true };

/** The name of a thing, or its id if it has no name. */
const nameOf = ({ id, name }: Named) => name || id;
const personNameOf = ({ id, displayName, preferredLoginName }: Person) => displayName || preferredLoginName || id;

function NamedRow({ item }: { item: Named }) {
  return (
    <span className="picker-row">
      <bdi>{nameOf(item)}</bdi>
      <span className="muted">
        <bdi>{item.id}</bdi>
        {item.isRemoved && ` · ${removedWords.mark}`}
      </span>
    </span>
  );
}

function PersonRow({ item, all }: { item: Person; all: readonly Person[] }) {
  return (
    <>
      <Avatar user={item} />
      <span className="picker-row">
        <bdi>{personNameOf(item)}</bdi>
        <Facts user={item} among={all} />
      </span>
    </>
  );
}

/** All of them ask for the same, so it is one request. */
function Facts({ user, among }: { user: Person; among: readonly Person[] }) {
  const organizationOf = useNamesOfOrganizations(among);
  return <PersonFacts user={user} organization={organizationOf(user)} />;
}

type Looks<Item> = Pick<Pickable<Ever<Item>>, "nameOf" | "Row" | "hintOf" | "plural">;

/**
 * Things are found by the words of their names or by the id, and people also by the whole login name: those that the
 * caller doesn't see are found only by these. An empty text finds the first ones. With `ever`, what was removed is found
 * too, and comes last.
 */
function pickableOf<Item extends { readonly id: string }>(
  kind: Removable,
  { useList }: LookUp<Item>,
  looks: Looks<Item>,
  ever: boolean,
): Pickable<Ever<Item>> {
  return {
    ...looks,
    idOf: ({ id }) => id,
    useFound(text, isOpen) {
      const isExact = isOpen && text !== "";
      const words = { filters: withWords(text), pagination };
      const login = { filter: { case: "preferredLoginName", value: { text, method: EQUALS } } };
      const similar = useList(words, { enabled: isOpen, placeholderData: keepPreviousData });
      const byId = useList(withId(text), { enabled: isExact });
      const byLogin = useList({ filters: [login], pagination }, { enabled: isExact && kind === "user" });
      const removed = useFoundRemoved<Item>(kind, text, isExact && ever);
      const exact = isExact ? [...(byId.items ?? []), ...(byLogin.items ?? [])] : [];
      const all: readonly Ever<Item>[] = [...exact, ...(similar.items ?? []), ...removed.items];
      const isOther = (item: Ever<Item>) => looks.nameOf(item).toLowerCase() !== text.toLowerCase();
      return {
        items: all
          // What was removed may have been added again while the answers were on their way.
          .filter(({ id }, place) => all.findIndex((one) => one.id === id) === place)
          // Things with exactly this name are what people mean.
          .toSorted((one, other) => Number(isOther(one)) - Number(isOther(other))),
        isMore: similar.isMore,
        ...askingOf([similar.query, byId.query, byLogin.query, ...removed.queries]),
      };
    },
  };
}

/** What there is to pick; with `ever`, also what there was. */
function kindsOf(ever: boolean) {
  const { kinds } = pickerWords;
  const named = { nameOf, Row: NamedRow, hintOf: ({ isRemoved }: Named) => isRemoved && removedWords.mark };
  const hintOf = (user: Person) => <Facts user={user} among={[user]} />;
  const person = { nameOf: personNameOf, Row: PersonRow, hintOf, plural: kinds.users };
  return {
    user: pickableOf("user", users, person, ever),
    project: pickableOf("project", projects, { ...named, plural: kinds.projects }, ever),
    organization: pickableOf("organization", organizations, { ...named, plural: kinds.organizations }, ever),
  };
}

export const pickables = kindsOf(false);
const ever = kindsOf(true);

const pickerOf =
  <Item,>(pickable: Pickable<Item>) =>
  (props: PickerProps<Item>) => <Picker pickable={pickable} {...props} />;

export const UserPicker = pickerOf(pickables.user);
export const ProjectPicker = pickerOf(pickables.project);
export const OrganizationPicker = pickerOf(pickables.organization);

/** They also find what was removed, which the history may be about. */
export const EverUserPicker = pickerOf(ever.user);
export const EverProjectPicker = pickerOf(ever.project);
export const EverOrganizationPicker = pickerOf(ever.organization);

export function UsersPicker(props: SeveralPickerProps<Person>) {
  return <SeveralPicker pickable={pickables.user} {...props} />;
}
