import { useState } from "react";
import { ListField, type ListFieldProps } from "./list-field.tsx";
import { ProjectsField } from "./project-fields.tsx";
import { UsersField } from "./user-fields.tsx";

type Of = "user" | "project" | "role" | "assignment";

/** Longer lists are easier to read as text than as chips. */
const mostChips = 100;

/** A field for several things, found by their names or given by their ids. */
export function ListForm({ of, ...props }: Omit<ListFieldProps, "label"> & { of: Of }) {
  const Field = of === "user" ? UsersField : of === "project" ? ProjectsField : undefined;
  const [isText, setText] = useState(Field === undefined || props.list.length > mostChips);
  if (Field === undefined) return <ListField label={labels[of].ids} {...props} />;
  return (
    <div className="fields">
      {isText ? <ListField label={labels[of].ids} {...props} /> : <Field label={labels[of].names} {...props} />}
      <button type="button" className="plain mode" onClick={() => setText(!isText)}>
        {isText ? "Search by name instead" : "Type or paste ids instead"}
      </button>
    </div>
  );
}

const labels: Readonly<Record<Of, { readonly names: string; readonly ids: string }>> = {
  user: { names: "Users", ids: "User ids" },
  project: { names: "Projects", ids: "Project ids" },
  role: { names: "Roles", ids: "Role keys" },
  assignment: { names: "Assignments", ids: "Assignment ids" },
};
