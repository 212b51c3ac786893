import { DirectoryService, type ListedProject } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { pickerWords } from "../words/pickers.ts";
import { removedWords } from "../words/removed.ts";
import { askingOf, exactFirst, type Found } from "./found.ts";
import { askedById, askedByName, idOf, NamedRow, nameOf } from "./named.tsx";
import { Picker, type PickerProps, SeveralPicker, type SeveralPickerProps } from "./picker.tsx";
import { type Ever, withRemoved } from "./removed.ts";
import type { Pickable } from "./use-search.ts";

/** Picks a project by a part of its name or its id. */
export function ProjectPicker(props: PickerProps<ListedProject>) {
  return <Picker pickable={projects} {...props} />;
}

/** Picks one that the history may be about. */
export function EverProjectPicker(props: PickerProps<Ever<ListedProject>>) {
  return <Picker pickable={ever} hint={props.value?.isRemoved && removedWords.mark} {...props} />;
}

export function ProjectsPicker(props: SeveralPickerProps<ListedProject>) {
  return <SeveralPicker pickable={projects} {...props} />;
}

const projects: Pickable<ListedProject> = {
  idOf,
  nameOf,
  Row: NamedRow,
  useFound: useFoundProjects,
  plural: pickerWords.kinds.projects,
};

const ever = withRemoved<ListedProject>(projects, "project", ({ project }) => project);

export function useFoundProjects(text: string, isOpen: boolean): Found<ListedProject> {
  const list = DirectoryService.method.listProjects;
  const isExact = isOpen && text !== "";
  const similar = useQuery(list, askedByName(text), { enabled: isOpen, placeholderData: keepPreviousData });
  const byId = useQuery(list, askedById(text), { enabled: isExact });
  return {
    items: exactFirst(isExact ? [byId.data?.projects] : [], similar.data?.projects),
    isMore: (similar.data?.pagination?.nextPageToken ?? "") !== "",
    ...askingOf([similar, byId]),
  };
}
