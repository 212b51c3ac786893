import { Plus } from "lucide-react";
import { lazy, Suspense } from "react";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { useCaller } from "../caller.ts";
import { maySomewhere } from "../directory/rights.ts";
import { useShortcut } from "../keyboard/shortcuts.ts";
import { keepTyping } from "../keyboard/typed-early.ts";
import { partWords } from "../words/parts.ts";

const CreateDialog = lazy(async () => ({ default: (await import("./create-dialog.tsx")).CreateDialog }));

type Props = { search: AssignmentsSearch; onSearch: (search: AssignmentsSearch) => void };

/**
 * The button for a new assignment, for people who may create one in any scope. The address says whether the dialog is
 * open.
 */
export function NewAssignment({ search, onSearch }: Props) {
  const { create, ...rest } = search;
  const mayCreate = maySomewhere(useCaller(), "user.grant.write");
  const open = () => {
    keepTyping();
    onSearch({ ...search, create: {} });
  };
  useShortcut("create", open, mayCreate);
  if (!mayCreate) return null;
  return (
    <>
      <button type="button" className="primary" onClick={open}>
        <Plus aria-hidden="true" />
        {partWords.newAssignment}
      </button>
      {create && (
        <Suspense>
          <CreateDialog preset={create} onOpen={(id) => onSearch({ ...rest, id })} onClose={() => onSearch(rest)} />
        </Suspense>
      )}
    </>
  );
}
