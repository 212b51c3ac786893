import { FailureNotice } from "../parts/failure-notice.tsx";
import { rolesWords as words } from "../words/assignment-changes.ts";
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
          legend={words.legend}
          choices={edited.choices}
          chosen={edited.wanted}
          onChange={edited.tick}
          unlisted={edited.unlisted}
        />
      )}
      {offered.isLoading && <p role="status">{words.asking}</p>}
      {edited.reasonField}
      {problem?.case === "failed" && <FailureNotice error={problem.error} />}
      {problem?.case === "unsaved" && <p role="alert">{words.unsaved}</p>}
      {problem?.case === "uncertain" && <Uncertain onLook={() => void edited.look()} />}
      <p className="difference" aria-live="polite">
        {isSame ? words.same : words.saving(sentenceOf(difference, name))}
      </p>
    </>
  );
}

function Uncertain({ onLook }: { onLook: () => void }) {
  return (
    <section className="notice-failure" role="alert">
      <p>{words.uncertain}</p>
      <button type="button" onClick={onLook}>
        {words.look}
      </button>
    </section>
  );
}
