import { State } from "@authorization-service/client";
import { partWords as words } from "../words/parts.ts";

/** The state, in words and shapes, not only in color. */
export function StateBadge({ state }: { state: State }) {
  const isActive = state === State.ACTIVE;
  return (
    <span className={isActive ? "state state-active" : "state state-inactive"}>
      {isActive ? words.active : words.inactive}
    </span>
  );
}
