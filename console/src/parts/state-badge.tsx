import { type Authorization, State } from "@authorization-service/client";
import { partWords as words } from "../words/parts.ts";

/** The state, in words and shapes, not only in color. */
export function StateBadge({ of: { state, expired } }: { of: Pick<Authorization, "state" | "expired"> }) {
  const isActive = state === State.ACTIVE;
  const inactive = expired ? words.ended : words.inactive;
  return (
    <span className={isActive ? "state state-active" : "state state-inactive"}>
      {isActive ? words.active : inactive}
    </span>
  );
}
