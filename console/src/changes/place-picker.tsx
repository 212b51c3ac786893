import { DirectoryService, type ListedProject } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { withWords } from "../directory/requests.ts";
import { askingOf, type Found, mostOffered } from "../pickers/found.ts";
import { Picker, type PickerProps } from "../pickers/picker.tsx";
import type { Pickable } from "../pickers/use-search.ts";
import { assignmentChangeWords as words } from "../words/assignment-changes.ts";
import { pickerWords } from "../words/pickers.ts";

/** Picks a project in an organization, from those where the caller may assign, or only from the given organization. */
export function PlacePicker({
  organizationId,
  ...props
}: PickerProps<ListedProject> & { organizationId?: string | undefined }) {
  const pickable = useMemo(() => placesIn(organizationId), [organizationId]);
  return <Picker pickable={pickable} {...props} />;
}

function placesIn(organizationId: string | undefined): Pickable<ListedProject> {
  return {
    idOf: (place) => JSON.stringify([place.id, place.assignableIn?.id]),
    nameOf: (place) => words.place(place.name || place.id, place.assignableIn?.name || `${place.assignableIn?.id}`),
    Row,
    useFound: (text, isOpen) => useFoundPlaces(text, isOpen, organizationId),
    plural: pickerWords.kinds.projects,
  };
}

function Row({ item }: { item: ListedProject }) {
  return (
    <span className="picker-row">
      <bdi>{item.name || item.id}</bdi>
      <span className="muted">
        {words.inPlace} <bdi>{item.assignableIn?.name || item.assignableIn?.id}</bdi>,{" "}
        {item.projectGrantId === "" ? words.owned : words.granted}
      </span>
    </span>
  );
}

function useFoundPlaces(text: string, isOpen: boolean, organizationId: string | undefined): Found<ListedProject> {
  const query = useQuery(
    DirectoryService.method.listProjects,
    {
      assignable: true,
      pagination: { limit: mostOffered, skipTotal: true },
      filters: [
        ...withWords(text),
        ...(organizationId === undefined
          ? []
          : [{ filter: { case: "inOrganizationId" as const, value: { id: organizationId } } }]),
      ],
    },
    { enabled: isOpen, placeholderData: keepPreviousData },
  );
  return {
    items: query.data?.projects ?? [],
    isMore: (query.data?.pagination?.nextPageToken ?? "") !== "",
    ...askingOf([query]),
  };
}
