import { useState } from "react";
import { filterWords } from "../../words/filters.ts";
import { IdField, type IdFieldProps } from "./id-field.tsx";
import { OrganizationField, ProjectField, UserField } from "./thing-fields.tsx";

const words = filterWords.editor;

const fields = { user: UserField, project: ProjectField, organization: OrganizationField } as const;

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
