import "./editor.css";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { DialogFrame } from "../../changes/dialog-frame.tsx";
import { filterEditorWords as words } from "../../words/filter-editor.ts";

type Props<Filter, Kind extends string> = {
  /** The filter to edit; undefined for a new one. */
  filter: Filter | undefined;
  /** What can be filtered by: kinds that belong together, each with its name. A name is absent if it is the only group. */
  groups: readonly { readonly name?: string; readonly kinds: readonly (readonly [kind: Kind, name: string])[] }[];
  newFilter: (kind: Kind) => Filter;
  kindOf: (filter: Filter) => Kind | undefined;
  /** What a filter of the kind is about, for the title. */
  subjectOf: (kind: Kind) => string;
  /** What is missing or wrong. */
  problemOf: (filter: Filter) => string | undefined;
  /** The fields of the filter. `isTold` says whether they show what is missing or wrong. */
  fields: (filter: Filter, isTold: boolean, onChange: (filter: Filter) => void) => ReactNode;
  onApply: (filter: Filter) => void;
  onClose: () => void;
};

/** A dialog to choose and fill in a filter, or to edit one. */
export function FilterEditor<Filter, Kind extends string>(props: Props<Filter, Kind>) {
  const { filter, onApply, onClose } = props;
  const [draft, setDraft] = useState(filter);
  // Missing input is reported when the person tries to continue, not while they start to type.
  const [isTold, setTold] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const kind = draft && props.kindOf(draft);
  const title = filter === undefined ? words.add : words.edit;
  const problem = draft && props.problemOf(draft);
  const focus = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another kind has other fields.
  useEffect(() => focus("input, select, textarea, button"), [kind]);

  if (draft === undefined || kind === undefined) {
    return (
      <DialogFrame title={title} onClose={onClose}>
        <div className="kind-list">
          {props.groups.map(({ name, kinds }) => (
            <section key={name ?? ""} aria-label={name}>
              {name !== undefined && <h3>{name}</h3>}
              <ul className="lines">
                {kinds.map(([kind, label]) => (
                  <li key={kind}>
                    <button type="button" className="plain" onClick={() => setDraft(props.newFilter(kind))}>
                      {label}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </div>
      </DialogFrame>
    );
  }
  const apply = () => {
    // What is missing is marked by then.
    flushSync(() => setTold(true));
    if (problem !== undefined) return focus("[aria-invalid]");
    onApply(draft);
    onClose();
  };
  return (
    <DialogFrame
      title={words.titleOf(title, props.subjectOf(kind))}
      onClose={onClose}
      form={{ ref: form, noValidate: true }}
      send={{ label: words.apply, run: apply }}
    >
      {props.fields(draft, isTold, setDraft)}
      {isTold && problem && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </DialogFrame>
  );
}
