import type { ListedProject, Organization } from "@authorization-service/client/directory";
import { useState } from "react";
import { useCaller } from "../caller.ts";
import { newRow, whereOf } from "../changes/new-row.ts";
import { unlistedOf } from "../changes/offered-roles.ts";
import { PlaceChoice } from "../changes/place-choice.tsx";
import { RoleBoxes } from "../changes/role-boxes.tsx";
import { maySomewhere } from "../directory/rights.ts";
import { addPeopleWords as words } from "../words/add-people.ts";
import type { Person } from "./lines.ts";

/** The roles that all of the people get once they are added: of a project, or none. */
export function useRolesToGive(organization: Organization | undefined) {
  const mayAssign = maySomewhere(useCaller(), "user.grant.write");
  const [place, setPlace] = useState<ListedProject>();
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  return {
    keys: [...keys].toSorted(),
    /** The assignments to create; none without roles. */
    rowsFor: (people: readonly Person[]) =>
      place === undefined || keys.size === 0 ? [] : people.map((person) => newRow(person, whereOf(place))),
    field: mayAssign && organization && (
      <>
        <PlaceChoice
          organization={organization}
          value={place}
          none={words.noProject}
          label={words.project}
          onChange={(next) => {
            setPlace(next);
            setKeys(new Set());
          }}
        />
        {place && (
          <RoleBoxes
            legend={words.rolesIn(place.name)}
            choices={place.roles}
            chosen={keys}
            onChange={setKeys}
            unlisted={unlistedOf(place)}
          />
        )}
      </>
    ),
  };
}
