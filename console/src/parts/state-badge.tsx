import { type Authorization, State } from "@authorization-service/client";
import { partWords as words } from "../words/parts.ts";

type Of = Pick<Authorization, "state" | "expired">;

/** What an assignment that is not active is called. */
export function lackOf({ state, expired }: Of): string | undefined {
  if (state === State.ACTIVE) return undefined;
  return expired ? words.ended : words.inactive;
}

/** The state, in words and shapes, not only in color. */
export function StateBadge({ of }: { of: Of }) {
  const lack = lackOf(of);
  return <span className={lack ? "state muted" : "state state-active"}>{lack ?? words.active}</span>;
}
