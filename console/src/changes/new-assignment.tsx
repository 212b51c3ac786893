import { lazy, Suspense } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { maySomewhere, useCaller } from "../caller.ts";

const load = () => import("./create-dialog.tsx");
const CreateDialog = lazy(async () => ({ default: (await load()).CreateDialog }));

type Props = { search: AssignmentsSearch; onSearch: (search: AssignmentsSearch) => void };

/** The way to a new assignment, for whoever may make one somewhere. The address says that it is open. */
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
