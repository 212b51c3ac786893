import { isMac, type Shortcut, shortcuts } from "./shortcuts.ts";

/** The names of the keys that change others. */
const names = { mac: "⌘", other: "Ctrl" } as const;

/** The keys of a shortcut, as they are written on the reader's keyboard. */
export function Keys({ of }: { of: Shortcut }) {
  const { key, command } = shortcuts[of];
  return (
    <>
      {command && (
        <>
          <kbd>{isMac() ? names.mac : names.other}</kbd>{" "}
        </>
      )}
      <kbd>{key.toUpperCase()}</kbd>
    </>
  );
}
