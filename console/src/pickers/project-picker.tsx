import { TextFilterMethod } from "@authorization-service/client";
import {
  DirectoryService,
  type ListedProject,
  type ListProjectsRequestSchema,
} from "@authorization-service/client/directory";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { exactFirst, type Found, mostOffered } from "./found.ts";
import { Picker, type PickerProps } from "./picker.tsx";
import { SeveralPicker, type SeveralPickerProps } from "./several-picker.tsx";
import type { Pickable } from "./use-search.ts";

/** Picks a project by a part of its name or its id. */
export function ProjectPicker(props: PickerProps<ListedProject>) {
  return <Picker pickable={projects} {...props} />;
}

export function ProjectsPicker(props: SeveralPickerProps<ListedProject>) {
  return <SeveralPicker pickable={projects} {...props} />;
}

const projects: Pickable<ListedProject> = {
  idOf: (project) => project.id,
  nameOf: (project) => project.name || project.id,
  Row,
  useFound: useFoundProjects,
  plural: "projects",
};

function Row({ item }: { item: ListedProject }) {
  return (
    <span className="picker-row">
      <bdi>{item.name || item.id}</bdi>
      <bdi className="muted">{item.id}</bdi>
    </span>
  );
}

function useFoundProjects(text: string, isOpen: boolean): Found<ListedProject> {
  const list = DirectoryService.method.listProjects;
  const isExact = isOpen && text !== "";
  const similar = useQuery(list, asked(text === "" ? [] : [named(text)]), {
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const byId = useQuery(list, asked([{ filter: { case: "ids", value: { ids: [text] } } }]), { enabled: isExact });
  return {
    items: exactFirst(isExact ? [byId.data?.projects] : [], similar.data?.projects),
    isMore: (similar.data?.pagination?.nextPageToken ?? "") !== "",
    isAsking: similar.isFetching || byId.isFetching,
    error: similar.error ?? byId.error,
  };
}

type Asked = MessageInitShape<typeof ListProjectsRequestSchema>;

function asked(filters: NonNullable<Asked["filters"]>): Asked {
  return { filters, pagination: { limit: mostOffered, skipTotal: true } };
}

function named(text: string): NonNullable<Asked["filters"]>[number] {
  return { filter: { case: "name", value: { text, method: TextFilterMethod.CONTAINS_IGNORE_CASE } } };
}
