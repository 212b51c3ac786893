import { lazy, Suspense } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { maySomewhere, useCaller } from "../caller.ts";

const load = () => import("./create-dialog.tsx");
const CreateDialog = lazy(async () => ({ default: (await load()).CreateDialog }));

type Props = { search: AssignmentsSearch; onSearch: (search: AssignmentsSearch) => void };

/**
 * The button for a new assignment, for people who may create one in any scope. The address says whether the dialog is
 * open.
 */
export function NewAssignment({ search, onSearch }: Props) {
  const { create, ...rest } = search;
  if (!maySomewhere(useCaller(), "user.grant.write")) return null;
  return (
    <>
      <button
        type="button"
        className="primary"
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => onSearch({ ...search, create: {} })}
      >
        New assignment
      </button>
      {create && (
        <Suspense>
          <CreateDialog preset={create} onOpen={(id) => onSearch({ ...rest, id })} onClose={() => onSearch(rest)} />
        </Suspense>
      )}
    </>
  );
}
