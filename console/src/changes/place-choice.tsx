import { DirectoryService, type ListedProject, type Organization } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useId, useState } from "react";
import { withWords } from "../directory/requests.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { useSettled } from "../pickers/found.ts";
import { assignmentChangeWords } from "../words/assignment-changes.ts";
import { createWords as words } from "../words/create.ts";
import { FindField } from "./find-field.tsx";

type Props = {
  /** Without one, the projects in all organizations. */
  organization: Organization | undefined;
  value: ListedProject | undefined;
  onChange: (place: ListedProject | undefined) => void;
  label?: string;
  /** What it is called to pick none, where that is a choice. */
  none?: string;
};

/** As many as people can take in at a glance. */
const mostShown = 12;

/** Picks a project where the caller may assign, with a search if there are many. */
export function PlaceChoice({ organization, value, onChange, label = words.project, none }: Props) {
  const name = useId();
  const [text, setText] = useState("");
  const settled = useSettled(text);
  const within = { filter: { case: "inOrganizationId" as const, value: { id: organization?.id ?? "" } } };
  const { data, error, refetch } = useQuery(
    DirectoryService.method.listProjects,
    {
      assignable: true,
      filters: [...withWords(settled), ...(organization ? [within] : [])],
      pagination: { limit: mostShown, skipTotal: true },
    },
    { placeholderData: keepPreviousData },
  );
  if (data === undefined) {
    return error ? (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <p role="status">{words.loading}</p>
    );
  }
  const isMore = Boolean(data.pagination?.nextPageToken);
  const isSearched = text !== "" || isMore;
  if (data.projects.length === 0 && !isSearched) {
    if (none !== undefined) return null;
    return <p role="status">{words.nothingThere(organization?.name || (organization?.id ?? ""))}</p>;
  }
  // What is chosen is shown, also if it isn't among what is found.
  const isListed = value === undefined || data.projects.some((place) => keyOf(place) === keyOf(value));
  const places = [...(none === undefined ? [] : [undefined]), ...(isListed ? [] : [value]), ...data.projects];
  return (
    <fieldset className="stack">
      <legend>{label}</legend>
      {isSearched && (
        <FindField label={words.findProject} text={text} onChange={setText}>
          {isMore ? words.moreProjects : data.projects.length === 0 && words.noProject}
        </FindField>
      )}
      <div className="place-choice">
        {places.map((place) => (
          <label key={place ? keyOf(place) : ""}>
            <input
              type="radio"
              name={name}
              checked={place === value || (place && value && keyOf(place) === keyOf(value))}
              onChange={() => onChange(place)}
            />
            <bdi>{place ? nameOf(place, organization) : none}</bdi>
            {place && place.projectGrantId !== "" && <span className="muted">{words.granted}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A project is a place of its own in each organization. */
function keyOf({ id, assignableIn }: ListedProject): string {
  return JSON.stringify([id, assignableIn?.id]);
}

function nameOf({ name, id, assignableIn }: ListedProject, within: Organization | undefined): string {
  if (within) return name || id;
  return assignmentChangeWords.place(name || id, assignableIn?.name || `${assignableIn?.id}`);
}
