import "./editor.css";
import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import { useEffect, useId, useRef, useState } from "react";
import { DialogFrame } from "../../changes/dialog-frame.tsx";
import { filterEditorWords } from "../../words/filter-editor.ts";
import { newFilter } from "../content.ts";
import { kinds } from "../kinds.ts";
import { problemOfAll } from "../limits.ts";
import { AnyFilterForm } from "./group-form.tsx";
import { KindList } from "./kind-list.tsx";

const words = filterEditorWords;

type Props = {
  /** The filter to edit; undefined for a new one. */
  filter: AuthorizationsSearchFilter | undefined;
  /** How many filters it may consist of, including nested ones. */
  room: number;
  /** Gets the focus afterwards. */
  opener: HTMLElement;
  onApply: (filter: AuthorizationsSearchFilter) => void;
  onClose: () => void;
};

/** A dialog to choose and fill in a filter, or to edit one. */
export function FilterEditor({ filter, room, opener, onApply, onClose }: Props) {
  const [draft, setDraft] = useState(filter);
  // Missing input is reported when the person tries to continue, not while they start to type.
  const [isTold, setTold] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const summary = useId();
  const kind = draft?.filter.case;
  const title = filter === undefined ? words.add : words.edit;
  const problem = draft && problemOfAll(draft, room);
  const focus = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another kind has other fields.
  useEffect(() => focus("input, select, textarea, button"), [kind]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is missing is marked by then.
  useEffect(() => {
    if (isTold) focus("[aria-invalid]");
  }, [isTold]);

  if (draft === undefined || kind === undefined) {
    return (
      <DialogFrame title={title} onClose={onClose} opener={opener}>
        <KindList room={room} onPick={(picked) => setDraft(newFilter(picked))} />
      </DialogFrame>
    );
  }
  const apply = () => {
    setTold(true);
    if (problem !== undefined) return focus("[aria-invalid]");
    onApply(draft);
    onClose();
  };
  const back = () => {
    setTold(false);
    setDraft(undefined);
  };
  return (
    <DialogFrame
      title={words.titleOf(title, kinds[kind].subject)}
      onClose={onClose}
      opener={opener}
      form={{ ref: form, noValidate: true, "aria-describedby": isTold && problem ? summary : undefined }}
      send={{ label: words.apply, run: apply }}
      actions={
        filter === undefined && (
          <button type="button" className="plain" onClick={back}>
            {words.back}
          </button>
        )
      }
    >
      <AnyFilterForm filter={draft} depth={1} room={room} isTold={isTold} onChange={setDraft} />
      {isTold && problem && (
        <p id={summary} className="problem" role="alert">
          {problem}
        </p>
      )}
    </DialogFrame>
  );
}
