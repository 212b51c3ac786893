import { State } from "@authorization-service/client";

/** Whether the roles are in force, in words and by shape, not by colour alone. */
export function StateBadge({ state }: { state: State }) {
  const isActive = state === State.ACTIVE;
  return (
    <span className={isActive ? "state state-active" : "state state-inactive"}>{isActive ? "Active" : "Inactive"}</span>
  );
}
