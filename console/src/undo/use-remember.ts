import { useCaller } from "../caller.ts";
import { may } from "../directory/rights.ts";
import { type Made, remember, type Undoable } from "./undoables.ts";

/** Keeps changes that the caller may undo, until the page is left. */
export function useRemember(): (undoable: Omit<Undoable, "key">) => Undoable | undefined {
  const caller = useCaller();
  // To undo a creation is to delete. Anything else needs the permission to write.
  const mayUndo = ({ what, row }: Made) =>
    may(caller, what === "created" ? "user.grant.delete" : "user.grant.write", row);
  return (undoable) => {
    const kept = { ...undoable, key: {}, made: undoable.made.filter(mayUndo) };
    const { made, entries = [] } = kept;
    if (made.length + entries.length === 0) return undefined;
    remember(kept);
    return kept;
  };
}
