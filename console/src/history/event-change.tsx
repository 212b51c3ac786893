import "./event-change.css";
import type { AuthorizationEvent, Role } from "@authorization-service/client";
import { useState } from "react";
import { RoleChips } from "../parts/role-chips.tsx";
import { changeOf } from "./change.ts";

/** Shows the change of an event: a title, its roles, and additional sentences. */
export function EventChange({ event, before }: { event: AuthorizationEvent; before: AuthorizationEvent | undefined }) {
  const { title, roles, notes } = changeOf(event, before);
  return (
    <div className="event-change">
      <strong>{title}</strong>
      {roles.map((part) => (
        <div key={part.label} className="event-roles" data-part={part.label}>
          <span className="muted">{part.label}</span>
          <FoldedRoles roles={part.roles} />
        </div>
      ))}
      {notes.map((note) => (
        <span key={note} className="muted">
          {note}
        </span>
      ))}
    </div>
  );
}

const most = 8;

function FoldedRoles({ roles }: { roles: readonly Role[] }) {
  const [isOpen, setOpen] = useState(false);
  const isFolded = roles.length > most && !isOpen;
  return (
    <>
      <RoleChips roles={isFolded ? roles.slice(0, most) : roles} />
      {isFolded && (
        <button type="button" className="plain unfold" onClick={() => setOpen(true)}>
          Show all {roles.length}
        </button>
      )}
    </>
  );
}
