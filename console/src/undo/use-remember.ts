import { useCaller } from "../caller.ts";
import { may } from "../directory/rights.ts";
import { announce } from "../parts/announcements.tsx";
import { isEmpty, type Made, remember, type Undoable, undoAction } from "./undoables.ts";

/** Keeps changes that the caller may undo, until the page is left. */
export function useRemember() {
  const caller = useCaller();
  // To undo a creation is to delete. Anything else needs the permission to write.
  const mayUndo = ({ what, row }: Made) =>
    may(caller, what === "created" ? "user.grant.delete" : "user.grant.write", row);

  function keep(undoable: Omit<Undoable, "key">): Undoable | undefined {
    const kept = { ...undoable, key: {}, made: undoable.made.filter(mayUndo) };
    if (isEmpty(kept)) return undefined;
    remember(kept);
    return kept;
  }

  return {
    keep,
    /** Announces a change, with a button to undo it and perhaps another one. */
    tell(text: string, undoable: Omit<Undoable, "key" | "what">) {
      const kept = keep({ ...undoable, what: text });
      announce({ text, ...(kept && { action: undoAction(kept) }) });
    },
  };
}
