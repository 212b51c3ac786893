import { partWords as words } from "../words/parts.ts";

/** Shown above the server's last answer while the server can't be reached. */
export function OldAnswer() {
  return (
    <p className="note" role="status">
      {words.old}
    </p>
  );
}
