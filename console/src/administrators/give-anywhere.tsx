import type { ListedProject, Organization, User } from "@authorization-service/client/directory";
import { useState } from "react";
import { useCaller } from "../caller.ts";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import type { Level } from "../directory/administrator-roles.ts";
import { maySomewhere, rolesToGive } from "../directory/rights.ts";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { EntryDialog } from "../directory-changes/entry-dialog.tsx";
import { type EntryPlace, inEverything, inGrant, inOrganization, inProject } from "../directory-changes/entry-place.ts";
import { personName } from "../parts/links.tsx";
import { OrganizationPicker, ProjectPicker } from "../pickers/things.tsx";
import { entryChangeWords as words } from "../words/directory-changes.ts";

type Props = {
  /** Who becomes an administrator; undefined to pick someone. */
  person?: User;
};

/** Makes someone an administrator: first of what, then who. */
export function GiveAnywhere({ person }: Props) {
  const caller = useCaller();
  if (!maySomewhere(caller, "administrator.write")) return null;
  return (
    <DialogButton label={person ? words.giveTo : words.give} isPrimary={person === undefined}>
      {(close) => <PlaceThenEntry person={person} onClose={close} />}
    </DialogButton>
  );
}

function PlaceThenEntry({ person, onClose }: { person: User | undefined; onClose: () => void }) {
  const [place, setPlace] = useState<EntryPlace>();
  if (place) return <EntryDialog place={place} person={person} onClose={onClose} />;
  const title = person ? words.giveToTitle(personName(person)) : words.give;
  return <PlaceDialog title={title} onPick={setPlace} onClose={onClose} />;
}

type PlaceProps = { title: string; onPick: (place: EntryPlace) => void; onClose: () => void };

function PlaceDialog({ title, onPick, onClose }: PlaceProps) {
  const caller = useCaller();
  const [level, setLevel] = useState<Level>("organization");
  const [organization, setOrganization] = useState<Organization>();
  const [project, setProject] = useState<ListedProject>();
  const [grantId, setGrantId] = useState("");
  const place = placeOf(level, { organization, project, grantId });
  const isAllowed = place !== undefined && rolesToGive(caller, place.level, place.where).length > 0;
  const levels = Object.entries(words.levels).filter(
    ([name]) => name !== "instance" || rolesToGive(caller, "instance", {}).length > 0,
  );
  return (
    <DialogFrame
      title={title}
      onClose={onClose}
      send={{ label: words.next, isReady: isAllowed, run: () => place && onPick(place) }}
    >
      <label className="field">
        {words.level}
        <select value={level} onChange={({ target }) => setLevel(target.value as Level)}>
          {levels.map(([name, label]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {level === "organization" && (
        <OrganizationPicker label={words.organization} value={organization} onChange={setOrganization} />
      )}
      {(level === "project" || level === "projectGrant") && (
        <ProjectPicker label={words.project} value={project} onChange={setProject} />
      )}
      {level === "projectGrant" && project && (
        <label className="field">
          {words.grantTo}
          <select value={grantId} onChange={({ target }) => setGrantId(target.value)}>
            <option value="">{words.choose}</option>
            {project.grants.map((grant) => (
              <option key={grant.id} value={grant.id}>
                {grant.organization?.name}
              </option>
            ))}
          </select>
        </label>
      )}
      {place && !isAllowed && <p role="status">{words.notThere}</p>}
    </DialogFrame>
  );
}

type Picked = { organization: Organization | undefined; project: ListedProject | undefined; grantId: string };

function placeOf(level: Level, { organization, project, grantId }: Picked): EntryPlace | undefined {
  switch (level) {
    case "instance":
      return inEverything;
    case "organization":
      return organization && inOrganization(organization);
    case "project":
      return project && inProject(project);
    case "projectGrant": {
      const grant = project?.grants.find(({ id }) => id === grantId);
      return grant && inGrant(grant.id, project, grant.organization);
    }
  }
}
