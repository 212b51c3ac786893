import "./changes.css";
import type { Authorization } from "@authorization-service/client";
import { useTransport } from "@connectrpc/connect-query";
import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useCaller } from "../caller.ts";
import { may } from "../directory/rights.ts";
import { announce } from "../parts/announcements.tsx";
import { failureOf } from "../parts/failure.ts";
import { assignmentChangeWords, batchWords as words } from "../words/assignment-changes.ts";
import { allMatching, type List, mostSelected } from "./all-matching.ts";

const BatchDialog = lazy(async () => ({ default: (await import("./batch-dialog.tsx")).BatchDialog }));

const kinds = ["add-roles", "remove-roles", "set-end", "activate", "deactivate", "delete"] as const;

type Props = {
  /** The selected assignments, with the change dates that are shown. */
  selected: readonly Authorization[];
  /** The list they come from, and its total. */
  list: List;
  total: number;
  onSelect: (rows: readonly Authorization[]) => void;
};

/** The actions for the selected assignments. */
export function SelectionBar({ selected, list, total, onSelect }: Props) {
  const caller = useCaller();
  const [kind, setKind] = useState<(typeof kinds)[number]>();
  const mayWrite = selected.some((row) => may(caller, "user.grant.write", row));
  const mayDelete = selected.some((row) => may(caller, "user.grant.delete", row));

  return (
    <section className="selection-bar" aria-label={words.region}>
      <span role="status">{words.selected(selected.length)}</span>
      {kinds
        .filter((kind) => (kind === "delete" ? mayDelete : mayWrite))
        .map((kind) => (
          <button
            key={kind}
            type="button"
            className={kind === "delete" ? "danger" : undefined}
            onClick={() => setKind(kind)}
          >
            {words.labels[kind]}
          </button>
        ))}
      {!mayWrite && !mayDelete && <span className="muted">{words.onlyLook}</span>}
      <span className="line selection-ways">
        {total > selected.length && <SelectAll list={list} total={total} onSelect={onSelect} />}
        <button type="button" onClick={() => onSelect([])}>
          {words.clear}
        </button>
      </span>
      {kind && (
        <Suspense>
          <BatchDialog
            change={{ kind }}
            rows={selected}
            onClose={(left) => {
              setKind(undefined);
              // What is not done stays selected.
              onSelect(left);
            }}
          />
        </Suspense>
      )}
    </section>
  );
}

/** Selects what the filters match on all pages. */
function SelectAll({ list, total, onSelect }: Omit<Props, "selected">) {
  const transport = useTransport();
  const { isPending, mutate } = useMutation({ mutationFn: () => allMatching(transport, list) });
  const most = Math.min(total, mostSelected);
  // These are only called while the button is there: anyone who clears the selection meanwhile selects nothing.
  const then = {
    onSuccess: onSelect,
    onError(error: Error) {
      const { title, advice } = failureOf(error);
      announce({ failed: true, text: words.notAllSelected(assignmentChangeWords.why(title, advice)) });
    },
  };
  return (
    <button type="button" aria-disabled={isPending} onClick={() => isPending || mutate(undefined, then)}>
      {isPending ? words.selecting : (total > mostSelected ? words.selectFirst : words.selectAll)(most)}
    </button>
  );
}
