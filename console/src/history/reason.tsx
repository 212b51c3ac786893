import "./event-change.css";
import { historyWords as words } from "../words/history.ts";

/** Why a change was made, as the person said. */
export function Reason({ of: { reason } }: { of: { readonly reason: string } }) {
  if (reason === "") return null;
  return (
    <p className="event-reason">
      <span className="visually-hidden">{words.reason} </span>
      <q>{reason}</q>
    </p>
  );
}
