import { DirectoryService, type Organization } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { pickerWords } from "../words/pickers.ts";
import { removedWords } from "../words/removed.ts";
import { askingOf, exactFirst, type Found } from "./found.ts";
import { askedById, askedByName, idOf, NamedRow, nameOf } from "./named.tsx";
import { Picker, type PickerProps } from "./picker.tsx";
import { type Ever, withRemoved } from "./removed.ts";
import type { Pickable } from "./use-search.ts";

/** Picks an organization by a part of its name or its id. */
export function OrganizationPicker(props: PickerProps<Organization>) {
  return <Picker pickable={organizations} {...props} />;
}

/** Picks one that the history may be about. */
export function EverOrganizationPicker(props: PickerProps<Ever<Organization>>) {
  return <Picker pickable={ever} hint={props.value?.isRemoved && removedWords.mark} {...props} />;
}

const organizations: Pickable<Organization> = {
  idOf,
  nameOf,
  Row: NamedRow,
  useFound: useFoundOrganizations,
  plural: pickerWords.kinds.organizations,
};

const ever = withRemoved<Organization>(organizations, "organization", ({ organization }) => organization);

export function useFoundOrganizations(text: string, isOpen: boolean): Found<Organization> {
  const list = DirectoryService.method.listOrganizations;
  const isExact = isOpen && text !== "";
  const similar = useQuery(list, askedByName(text), { enabled: isOpen, placeholderData: keepPreviousData });
  const byId = useQuery(list, askedById(text), { enabled: isExact });
  return {
    items: exactFirst(isExact ? [byId.data?.organizations] : [], similar.data?.organizations),
    isMore: (similar.data?.pagination?.nextPageToken ?? "") !== "",
    ...askingOf([similar, byId]),
  };
}
