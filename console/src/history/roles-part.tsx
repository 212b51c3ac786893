import "./event-change.css";
import { useState } from "react";
import { RoleChips } from "../parts/role-chips.tsx";
import { historyWords } from "../words/history.ts";
import { type Difference, type Effect, onlyIn } from "./change.ts";
import type { NamedRole, Names } from "./names.ts";

const words = historyWords.change;
const most = 8;

/** Lists of roles can be long, so only what a change gave or took is shown. */
export function RolesParts(props: { difference: Difference; effect: Effect; names: Names }) {
  const { before, after } = props.difference;
  const isChange = props.effect === 1;
  const projectId = keysOf(after ?? before)?.projectId;
  const [given, taken] = [onlyIn(after, before), onlyIn(before, after)];
  const named = (keys: readonly string[]) => keys.map((key) => props.names.roleOf(projectId, key));
  const hasNoneNow = keysOf(after)?.keys.length === 0 && (!isChange || taken.length > 0);
  return (
    <>
      {given.length > 0 && <RolesPart label={isChange ? words.added : words.with} roles={named(given)} />}
      {taken.length > 0 && <RolesPart label={isChange ? words.removed : words.held} roles={named(taken)} />}
      {hasNoneNow && <span className="muted">{isChange ? words.noneLeft : words.withoutRoles}</span>}
    </>
  );
}

function keysOf(value: Difference["after"]) {
  return value?.kind === "roles" ? value : undefined;
}

/** If there are many, the first ones with a button for the rest. */
function RolesPart({ label, roles }: { label: string; roles: readonly NamedRole[] }) {
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
