import type { Authorization } from "@authorization-service/client";
import { useState } from "react";
import { placeName, userName } from "../changes/assignment-name.ts";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { choicesOf, placeOf, unlistedOf, useOfferedRoles } from "../changes/offered-roles.ts";
import { RoleBoxes } from "../changes/role-boxes.tsx";
import { Answered } from "../directory/answered.tsx";
import { rolesWords } from "../words/assignment-changes.ts";
import { matrixWords as words } from "../words/matrix.ts";

type Props = {
  assignment: Authorization;
  wanted: ReadonlySet<string>;
  onDone: (wanted: ReadonlySet<string>) => void;
  onClose: () => void;
};

/** The roles of one cell. They are sent later, with those of other cells. */
export function CellDialog({ assignment, wanted, onDone, onClose }: Props) {
  const [chosen, setChosen] = useState(wanted);
  const offered = useOfferedRoles(placeOf(assignment));
  return (
    <DialogFrame
      title={rolesWords.title(userName(assignment))}
      onClose={onClose}
      send={{
        label: words.take,
        run: () => {
          onDone(chosen);
          onClose();
        },
      }}
    >
      <p className="muted">{placeName(assignment)}</p>
      <Answered query={offered}>
        {({ project }) => (
          <RoleBoxes
            legend={rolesWords.legend}
            choices={choicesOf(project, assignment.roles)}
            chosen={chosen}
            onChange={setChosen}
            unlisted={unlistedOf(project)}
          />
        )}
      </Answered>
    </DialogFrame>
  );
}
