import "./event-change.css";
import { useState } from "react";
import { RoleChips } from "../parts/role-chips.tsx";
import { historyWords } from "../words/history.ts";
import type { NamedRole } from "./change.ts";

const most = 8;

/** Roles that a change gave or took. If there are many, the first ones with a button for the rest. */
export function RolesPart({ label, roles }: { label: string; roles: readonly NamedRole[] }) {
  const [isOpen, setOpen] = useState(false);
  const isFolded = roles.length > most && !isOpen;
  return (
    <div className="event-roles" data-part={label}>
      <span className="muted">{label}</span>
      <RoleChips roles={isFolded ? roles.slice(0, most) : roles} />
      {isFolded && (
        <button type="button" className="plain unfold" onClick={() => setOpen(true)}>
          {historyWords.showAllRoles(roles.length)}
        </button>
      )}
    </div>
  );
}
