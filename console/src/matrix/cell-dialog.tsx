import type { Authorization } from "@authorization-service/client";
import { useMemo, useState } from "react";
import { placeName, userName } from "../changes/assignment-name.ts";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { choicesOf, placeOf, unlistedOf, useOfferedRoles } from "../changes/offered-roles.ts";
import { RoleBoxes } from "../changes/role-boxes.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
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
  const project = offered.data?.project;
  const choices = useMemo(() => choicesOf(project, assignment.roles), [project, assignment]);
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
      {offered.error && <FailureNotice error={offered.error} onRetry={() => void offered.refetch()} />}
      {offered.data ? (
        <RoleBoxes
          legend={rolesWords.legend}
          choices={choices}
          chosen={chosen}
          onChange={setChosen}
          unlisted={unlistedOf(project)}
        />
      ) : (
        <p role="status">{rolesWords.asking}</p>
      )}
    </DialogFrame>
  );
}
