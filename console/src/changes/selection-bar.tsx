import "./changes.css";
import type { Authorization } from "@authorization-service/client";
import { lazy, Suspense, useState } from "react";
import { useCaller } from "../caller.ts";
import { may } from "../directory/rights.ts";
import { batchWords as words } from "../words/assignment-changes.ts";
import type { List } from "./all-matching.ts";
import type { BatchChange } from "./batch-change.ts";
import { SelectAll } from "./select-all.tsx";

const BatchDialog = lazy(async () => ({ default: (await import("./batch-dialog.tsx")).BatchDialog }));

const kinds: readonly BatchChange["kind"][] = [
  "add-roles",
  "remove-roles",
  "set-end",
  "activate",
  "deactivate",
  "delete",
];

type Props = {
  /** The selected assignments, with the change dates that are shown. */
  selected: readonly Authorization[];
  /** The list they come from, and its total. */
  list: List;
  total: number;
  /** Called with what a batch leaves to be done. */
  onSelect: (rows: readonly Authorization[]) => void;
};

/** The actions for the selected assignments. */
export function SelectionBar({ selected, list, total, onSelect }: Props) {
  const caller = useCaller();
  const [opened, setOpened] = useState<{ kind: BatchChange["kind"]; rows: readonly Authorization[] }>();
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
            onClick={() => setOpened({ kind, rows: selected })}
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
      {opened && (
        <Suspense>
          <BatchDialog
            kind={opened.kind}
            rows={opened.rows}
            onClose={(left) => {
              setOpened(undefined);
              onSelect(left);
            }}
          />
        </Suspense>
      )}
    </section>
  );
}
