import { FailureNotice } from "../parts/failure-notice.tsx";
import { RoleBoxes } from "./role-boxes.tsx";
import { sentenceOf } from "./role-difference.ts";
import type { EditedRoles } from "./use-edited-roles.ts";

/** The boxes of the roles, the difference before it is saved, and what keeps it from being saved. */
export function EditedRolesForm({ edited }: { edited: EditedRoles }) {
  const { offered, problem, isSame, difference, name } = edited;
  return (
    <>
      {offered.error && <FailureNotice error={offered.error} onRetry={() => void offered.refetch()} />}
      {offered.data && (
        <RoleBoxes
          legend="Roles"
          choices={edited.choices}
          chosen={edited.wanted}
          onChange={edited.tick}
          unlisted={edited.unlisted}
        />
      )}
      {offered.isLoading && <p role="status">Asking which roles can be assigned here…</p>}
      {problem?.case === "failed" && <FailureNotice error={problem.error} />}
      {problem?.case === "unsaved" && <p role="alert">It was not saved: the assignment is what it was. Save again.</p>}
      {problem?.case === "uncertain" && <Uncertain onLook={() => void edited.look()} />}
      <p className="difference" aria-live="polite">
        {isSame ? "Nothing is changed yet." : `Saving ${sentenceOf(difference, name)}.`}
      </p>
    </>
  );
}

function Uncertain({ onLook }: { onLook: () => void }) {
  return (
    <section className="notice-failure" role="alert">
      <p>The server did not answer: it is uncertain whether the roles were saved.</p>
      <button type="button" onClick={onLook}>
        Look at what they are
      </button>
    </section>
  );
}
