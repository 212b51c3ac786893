import "./event-change.css";
import type { AuthorizationEvent } from "@authorization-service/client";
import { changeOf, type NameRole } from "./change.ts";
import { RolesPart } from "./roles-part.tsx";

/** Shows the change of an event: a title, its roles, and additional sentences. */
export function EventChange({ event, nameRole }: { event: AuthorizationEvent; nameRole: NameRole }) {
  const { title, roles, notes } = changeOf(event, nameRole);
  return (
    <div className="event-change">
      <strong>{title}</strong>
      {roles.map((part) => (
        <RolesPart key={part.label} {...part} />
      ))}
      {notes.map((note) => (
        <span key={note} className="muted">
          {note}
        </span>
      ))}
    </div>
  );
}
