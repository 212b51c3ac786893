import { useId, useState } from "react";
import { filterEditorWords } from "../../words/filter-editor.ts";
import { listOf, textOf } from "./list-text.ts";
import { useProblem } from "./problem.tsx";
import { type ListFieldProps, listFields } from "./thing-fields.tsx";

const words = filterEditorWords;

/** Longer lists are easier to read as text than as chips. */
const mostChips = 100;

/** A field for several things, found by their names or given by their ids. */
export function ListForm({ of, ...props }: Omit<ListFieldProps, "label"> & { of: keyof typeof words.lists }) {
  const Field = of === "user" || of === "project" ? listFields[of] : undefined;
  const [isText, setText] = useState(Field === undefined || props.list.length > mostChips);
  if (Field === undefined) return <ListField label={words.lists[of].ids} {...props} />;
  return (
    <div className="stack">
      {isText ? (
        <ListField label={words.lists[of].ids} {...props} />
      ) : (
        <Field label={words.lists[of].names} {...props} />
      )}
      <button type="button" className="plain mode" onClick={() => setText(!isText)}>
        {isText ? words.byName : words.byIds}
      </button>
    </div>
  );
}

/** A field to type or paste a list as text. */
export function ListField({ label, list, problem, onChange }: ListFieldProps) {
  const field = useId();
  const { state, shown } = useProblem(problem, `${field}-hint`);
  const [text, setText] = useState(() => textOf(list));
  // Another field may have changed the list. The typed text is kept if it has the same meaning.
  const written = JSON.stringify(listOf(text)) === JSON.stringify(list) ? text : textOf(list);
  return (
    <div className="stack">
      <label htmlFor={field}>{label}</label>
      <textarea
        id={field}
        rows={6}
        {...state}
        autoComplete="off"
        spellCheck={false}
        value={written}
        onChange={({ target }) => {
          setText(target.value);
          onChange(listOf(target.value));
        }}
      />
      <p id={`${field}-hint`} className="hint">
        {words.listHint(list.length)}
      </p>
      {shown}
    </div>
  );
}
