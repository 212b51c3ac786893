import { TextFilterMethod } from "@authorization-service/client";
import { DirectoryService, type ListUsersRequestSchema, type User } from "@authorization-service/client/directory";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useNamesOfOrganizations } from "../directory/organization-names.ts";
import { withWords } from "../directory/requests.ts";
import { Avatar } from "../parts/avatar.tsx";
import { PersonFacts } from "../parts/person-facts.tsx";
import { pickerWords } from "../words/pickers.ts";
import { askingOf, exactFirst, type Found, mostOffered } from "./found.ts";
import { Picker, type PickerProps, SeveralPicker, type SeveralPickerProps } from "./picker.tsx";
import { type Ever, withRemoved } from "./removed.ts";
import type { Pickable } from "./use-search.ts";

/**
 * Picks a user by words of the name and login name. Users that the caller doesn't see are found by the whole login name
 * or the id.
 */
export function UserPicker(props: PickerProps<User>) {
  return <AnyUserPicker pickable={users} {...props} />;
}

/** Picks a user whom the history may be about. */
export function EverUserPicker(props: PickerProps<Ever<User>>) {
  return <AnyUserPicker pickable={ever} {...props} />;
}

function AnyUserPicker(props: PickerProps<Ever<User>> & { pickable: Pickable<Ever<User>> }) {
  const { value } = props;
  const organizationOf = useNamesOfOrganizations(value === undefined ? [] : [value]);
  const hint = value && <PersonFacts user={value} organization={organizationOf(value)} />;
  return <Picker hint={hint} {...props} />;
}

export function UsersPicker(props: SeveralPickerProps<User>) {
  return <SeveralPicker pickable={users} {...props} />;
}

const users: Pickable<Ever<User>> = {
  idOf: (user) => user.id,
  nameOf,
  Row,
  useFound: useFoundUsers,
  plural: pickerWords.kinds.users,
};

const ever = withRemoved<User>(users, "user", ({ user }) => user);

function nameOf({ id, displayName, preferredLoginName }: User): string {
  return displayName || preferredLoginName || id;
}

function Row({ item, all }: { item: Ever<User>; all: readonly User[] }) {
  // All rows ask for the same, so it is one request.
  const organizationOf = useNamesOfOrganizations(all);
  return (
    <>
      <Avatar user={item} />
      <span className="picker-row">
        <bdi>{nameOf(item)}</bdi>
        <PersonFacts user={item} organization={organizationOf(item)} />
      </span>
    </>
  );
}

type Filters = MessageInitShape<typeof ListUsersRequestSchema>["filters"];

export function useFoundUsers(text: string, isOpen: boolean): Found<User> {
  const { EQUALS } = TextFilterMethod;
  const isExact = isOpen && text !== "";
  const similar = useUsers(withWords(text), isOpen);
  const byLogin = useUsers([{ filter: { case: "preferredLoginName", value: { text, method: EQUALS } } }], isExact);
  const byId = useUsers([{ filter: { case: "ids", value: { ids: [text] } } }], isExact);
  const exact = isExact ? [byId.data, byLogin.data].map((answer) => answer?.users) : [];
  return {
    items: exactFirst(exact, similar.data?.users),
    isMore: (similar.data?.pagination?.nextPageToken ?? "") !== "",
    ...askingOf([similar, byLogin, byId]),
  };
}

function useUsers(filters: NonNullable<Filters>, enabled: boolean) {
  const request = { filters, pagination: { limit: mostOffered, skipTotal: true } };
  const isExact = filters[0]?.filter?.case !== "search" && filters.length > 0;
  return useQuery(DirectoryService.method.listUsers, request, {
    enabled,
    ...(!isExact && { placeholderData: keepPreviousData }),
  });
}
