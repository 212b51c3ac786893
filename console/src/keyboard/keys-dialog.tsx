import "./keyboard.css";
import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import { useViewHost } from "../parts/kept-view.tsx";
import { words } from "../words/keyboard.ts";
import { Keys } from "./keys.tsx";
import { type Shortcut, shortcuts } from "./shortcuts.ts";
import { hasSingleKeys, setSingleKeys } from "./single-keys.ts";

type Elsewhere = keyof typeof words.elsewhere;

/** Lists the keyboard shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const host = useViewHost();
  const [isSingle, setSingle] = useState(hasSingleKeys);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal container={host}>
        <Dialog.Backdrop className="keys-backdrop" />
        <Dialog.Popup className="keys">
          <Dialog.Title>{words.title}</Dialog.Title>
          <table>
            <thead>
              <tr>
                <th scope="col">{words.key}</th>
                <th scope="col">{words.does}</th>
              </tr>
            </thead>
            <tbody>
              {(Object.keys(shortcuts) as Shortcut[]).map((name) => (
                <tr key={name}>
                  <td>
                    <Keys of={name} />
                  </td>
                  <td>{words.shortcuts[name]}</td>
                </tr>
              ))}
              {(Object.keys(words.elsewhere) as Elsewhere[]).map((name) => (
                <tr key={name}>
                  <td>
                    <kbd>{words.keys[name]}</kbd>
                  </td>
                  <td>{words.elsewhere[name]}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <label className="keys-single">
            <input
              type="checkbox"
              checked={isSingle}
              onChange={({ target }) => {
                setSingle(target.checked);
                setSingleKeys(target.checked);
              }}
            />
            {words.single}
          </label>
          <p className="hint">{words.singleHint}</p>
          <div className="keys-actions">
            <Dialog.Close>{words.close}</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
