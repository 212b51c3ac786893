import { DialogFrame } from "../changes/dialog-frame.tsx";
import { Facts } from "../parts/facts.tsx";
import { keyboardWords as words } from "../words/keyboard.ts";
import { keysOf } from "./shortcuts.ts";

/** Lists what keys do. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const shortcuts = { [keysOf("search")]: words.search, [keysOf("undo")]: words.undo };
  return (
    <DialogFrame title={words.title} onClose={onClose} closeLabel={words.close}>
      <Facts facts={{ ...shortcuts, ...Object.fromEntries(words.elsewhere) }} />
    </DialogFrame>
  );
}
