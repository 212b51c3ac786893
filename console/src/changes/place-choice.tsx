import { DirectoryService, type ListedProject, type Organization } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { useId } from "react";
import { createWords } from "../words/create.ts";
import { PlacePicker } from "./place-picker.tsx";

type Props = {
  organization: Organization | undefined;
  value: ListedProject | undefined;
  onChange: (place: ListedProject | undefined) => void;
  label?: string;
  /** What it is called to pick none, where that is a choice. */
  none?: string;
};

/** With this many projects or fewer, seeing all of them is easier than searching. */
const few = 12;

/** Picks a project: from all of an organization if they are few, otherwise by a search. */
export function PlaceChoice({ organization, value, onChange, label = createWords.project, none }: Props) {
  const name = useId();
  const { data, isLoading } = useQuery(
    DirectoryService.method.listProjects,
    organization === undefined
      ? skipToken
      : {
          assignable: true,
          filters: [{ filter: { case: "inOrganizationId", value: { id: organization.id } } }],
          pagination: { limit: few, skipTotal: true },
        },
  );
  const isFew = data !== undefined && (data.pagination?.nextPageToken ?? "") === "";
  if (isLoading) return <p role="status">{createWords.loading}</p>;
  if (!isFew || organization === undefined) {
    return <PlacePicker label={label} organizationId={organization?.id} value={value} onChange={onChange} />;
  }
  if (data.projects.length === 0) {
    if (none !== undefined) return null;
    return <p role="status">{createWords.nothingThere(organization.name || organization.id)}</p>;
  }
  return (
    <fieldset className="place-choice">
      <legend>{label}</legend>
      {none !== undefined && (
        <label>
          <input type="radio" name={name} checked={value === undefined} onChange={() => onChange(undefined)} />
          {none}
        </label>
      )}
      {data.projects.map((place) => (
        <label key={place.id}>
          <input type="radio" name={name} checked={place.id === value?.id} onChange={() => onChange(place)} />
          <bdi>{place.name || place.id}</bdi>
          {place.projectGrantId !== "" && <span className="muted">{createWords.granted}</span>}
        </label>
      ))}
    </fieldset>
  );
}
