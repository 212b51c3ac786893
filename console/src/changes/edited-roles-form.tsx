import type { ReactNode } from "react";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { rolesWords as words } from "../words/assignment-changes.ts";
import { createWords } from "../words/create.ts";
import { isNew } from "./new-row.ts";
import { RoleBoxes } from "./role-boxes.tsx";
import { sentenceOf } from "./role-difference.ts";
import type { EditedRoles } from "./use-edited-roles.ts";

type Props = {
  edited: EditedRoles;
  /** What else there is to decide. */
  children?: ReactNode;
};

/** The boxes of the roles, the difference before it is saved, and what keeps it from being saved. */
export function EditedRolesForm({ edited, children }: Props) {
  const { offered, problem, isSame, difference, name, base } = edited;
  const saving = isSame ? words.same : words.saving(sentenceOf(difference, name));
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
      {children}
      {edited.reasonField}
      {problem?.case === "failed" && <FailureNotice error={problem.error} />}
      {problem?.case === "unsaved" && <p role="alert">{words.unsaved}</p>}
      {problem?.case === "uncertain" && (
        <section className="notice-failure" role="alert">
          <p>{isNew(base) ? createWords.uncertain : words.uncertain}</p>
          <button type="button" onClick={() => void edited.look()}>
            {isNew(base) ? createWords.look : words.look}
          </button>
        </section>
      )}
      <p className={isNew(base) ? "hint" : "difference"} aria-live="polite">
        {!isNew(base) ? saving : edited.wanted.size === 0 && createWords.noRoles}
      </p>
    </>
  );
}
