import "./editor.css";
import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import { Dialog } from "@base-ui/react/dialog";
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useViewHost } from "../../parts/kept-view.tsx";
import { focusUnpicked } from "../../pickers/unpicked.ts";
import { filterWords } from "../../words/filters.ts";
import { newFilter } from "../content.ts";
import { kinds } from "../kinds.ts";
import { problemOfAll } from "../limits.ts";
import { AnyFilterForm } from "./group-form.tsx";
import { KindList } from "./kind-list.tsx";

const words = filterWords.editor;

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
  const host = useViewHost();
  const [draft, setDraft] = useState(filter);
  const kind = draft?.filter.case;
  const title = filter === undefined ? words.add : words.edit;
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal container={host}>
        <Dialog.Backdrop className="editor-backdrop" />
        <Dialog.Popup className="editor" finalFocus={() => opener}>
          <Dialog.Title>{kind === undefined ? title : words.titleOf(title, kinds[kind].subject)}</Dialog.Title>
          {draft === undefined ? (
            <>
              <KindList room={room} onPick={(picked) => setDraft(newFilter(picked))} />
              <div className="editor-buttons">
                <Dialog.Close>{words.cancel}</Dialog.Close>
              </div>
            </>
          ) : (
            <DraftForm
              draft={draft}
              room={room}
              onChange={setDraft}
              onApply={() => {
                onApply(draft);
                onClose();
              }}
              onBack={filter === undefined ? () => setDraft(undefined) : undefined}
            />
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type DraftProps = {
  draft: AuthorizationsSearchFilter;
  room: number;
  onChange: (draft: AuthorizationsSearchFilter) => void;
  onApply: () => void;
  onBack: (() => void) | undefined;
};

function DraftForm({ draft, room, onChange, onApply, onBack }: DraftProps) {
  // Missing input is reported when the person tries to continue, not while they start to type.
  const [isTold, setTold] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const summary = useId();
  const problem = problemOfAll(draft, room);

  useEffect(() => form.current?.querySelector<HTMLElement>("input, select, textarea, button")?.focus(), []);
  useEffect(() => {
    if (isTold) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [isTold]);

  function submit(event: FormEvent) {
    event.preventDefault();
    // Otherwise the form around it would also be submitted.
    event.stopPropagation();
    if (focusUnpicked(form.current)) return;
    if (problem === undefined) return onApply();
    setTold(true);
    form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }

  return (
    <form ref={form} noValidate onSubmit={submit} aria-describedby={isTold && problem ? summary : undefined}>
      <AnyFilterForm filter={draft} depth={1} room={room} isTold={isTold} onChange={onChange} />
      <div className="editor-buttons">
        {isTold && problem && (
          <p id={summary} className="problem" role="alert">
            {problem}
          </p>
        )}
        {onBack && (
          <button type="button" className="plain" onClick={onBack}>
            {words.back}
          </button>
        )}
        <Dialog.Close>{words.cancel}</Dialog.Close>
        <button type="submit" className="primary">
          {words.apply}
        </button>
      </div>
    </form>
  );
}
