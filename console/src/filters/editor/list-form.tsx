import { useState } from "react";
import { filterWords } from "../../words/filters.ts";
import { ListField, type ListFieldProps } from "./list-field.tsx";
import { ProjectsField, UsersField } from "./thing-fields.tsx";

const words = filterWords.editor;

type Of = "user" | "project" | "role" | "assignment";

/** Longer lists are easier to read as text than as chips. */
const mostChips = 100;

/** A field for several things, found by their names or given by their ids. */
export function ListForm({ of, ...props }: Omit<ListFieldProps, "label"> & { of: Of }) {
  const Field = of === "user" ? UsersField : of === "project" ? ProjectsField : undefined;
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
