import { useId, useState } from "react";
import { filterEditorWords } from "../../words/filter-editor.ts";
import { useProblem } from "./problem.tsx";
import { fields, type IdFieldProps } from "./thing-fields.tsx";

const words = filterEditorWords;

/** A field for one thing, found by its name or given by its id. */
export function IdForm({ of, ...props }: IdFieldProps & { of: keyof typeof fields }) {
  const [isGiven, setGiven] = useState(false);
  const Field = isGiven ? IdField : fields[of];
  return (
    <div className="stack">
      <Field {...props} />
      <button type="button" className="plain mode" onClick={() => setGiven(!isGiven)}>
        {isGiven ? words.byName : words.byId}
      </button>
    </div>
  );
}

/** A field for a plain id, for things that the caller does not see or that were removed. */
export function IdField({ label, id, problem, onChange }: IdFieldProps) {
  const field = useId();
  const { state, shown } = useProblem(problem);
  return (
    <div className="stack">
      <label htmlFor={field}>{words.idOf(label)}</label>
      <input
        id={field}
        {...state}
        autoComplete="off"
        spellCheck={false}
        value={id}
        onChange={({ target }) => onChange(target.value)}
      />
      {shown}
    </div>
  );
}
