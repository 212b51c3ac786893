import { partWords } from "../words/parts.ts";
import { isMac, type Shortcut, shortcuts } from "./shortcuts.ts";

/** The keys of a shortcut, as they are written on the reader's keyboard. */
export function Keys({ of }: { of: Shortcut }) {
  const { key, command } = shortcuts[of];
  return (
    <>
      {command && (
        <>
          <kbd>{isMac() ? "⌘" : partWords.control}</kbd>{" "}
        </>
      )}
      <kbd>{key.toUpperCase()}</kbd>
    </>
  );
}
