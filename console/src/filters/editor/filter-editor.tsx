import "./editor.css";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { DialogFrame } from "../../changes/dialog-frame.tsx";
import { filterEditorWords } from "../../words/filter-editor.ts";
import { KindList, type KindsOfGroup } from "./kind-list.tsx";

const words = filterEditorWords;

type Props<Filter, Kind extends string> = {
  /** The filter to edit; undefined for a new one. */
  filter: Filter | undefined;
  /** What can be filtered by. */
  groups: readonly KindsOfGroup<Kind>[];
  newFilter: (kind: Kind) => Filter;
  kindOf: (filter: Filter) => Kind | undefined;
  /** What a filter of the kind is about, for the title. */
  subjectOf: (kind: Kind) => string;
  /** What is missing or wrong. */
  problemOf: (filter: Filter) => string | undefined;
  /** The fields of the filter. `isTold` says whether they show what is missing or wrong. */
  fields: (filter: Filter, isTold: boolean, onChange: (filter: Filter) => void) => ReactNode;
  /** Gets the focus afterwards. */
  opener: HTMLElement;
  onApply: (filter: Filter) => void;
  onClose: () => void;
};

/** A dialog to choose and fill in a filter, or to edit one. */
export function FilterEditor<Filter, Kind extends string>(props: Props<Filter, Kind>) {
  const { filter, groups, opener, onApply, onClose } = props;
  const [draft, setDraft] = useState(filter);
  // Missing input is reported when the person tries to continue, not while they start to type.
  const [isTold, setTold] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const summary = useId();
  const kind = draft && props.kindOf(draft);
  const title = filter === undefined ? words.add : words.edit;
  const problem = draft && props.problemOf(draft);
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
        <KindList groups={groups} onPick={(picked) => setDraft(props.newFilter(picked))} />
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
      title={words.titleOf(title, props.subjectOf(kind))}
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
      {props.fields(draft, isTold, setDraft)}
      {isTold && problem && (
        <p id={summary} className="problem" role="alert">
          {problem}
        </p>
      )}
    </DialogFrame>
  );
}
