import "./keyboard.css";
import { Dialog } from "@base-ui/react/dialog";
import { useState } from "react";
import { useViewHost } from "../parts/kept-view.tsx";
import { keyboardWords } from "../words/keyboard.ts";
import { Keys } from "./keys.tsx";
import { type Shortcut, shortcuts } from "./shortcuts.ts";
import { hasSingleKeys, setSingleKeys } from "./single-keys.ts";

type Elsewhere = keyof typeof keyboardWords.elsewhere;

/** Lists the keyboard shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const host = useViewHost();
  const [isSingle, setSingle] = useState(hasSingleKeys);
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal container={host}>
        <Dialog.Backdrop className="keys-backdrop" />
        <Dialog.Popup className="keys">
          <Dialog.Title>{keyboardWords.title}</Dialog.Title>
          <table>
            <thead>
              <tr>
                <th scope="col">{keyboardWords.key}</th>
                <th scope="col">{keyboardWords.does}</th>
              </tr>
            </thead>
            <tbody>
              {(Object.keys(shortcuts) as Shortcut[]).map((name) => (
                <tr key={name}>
                  <td>
                    <Keys of={name} />
                  </td>
                  <td>{keyboardWords.shortcuts[name]}</td>
                </tr>
              ))}
              {(Object.keys(keyboardWords.elsewhere) as Elsewhere[]).map((name) => (
                <tr key={name}>
                  <td>
                    <kbd>{keyboardWords.keys[name]}</kbd>
                  </td>
                  <td>{keyboardWords.elsewhere[name]}</td>
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
            {keyboardWords.single}
          </label>
          <p className="hint">{keyboardWords.singleHint}</p>
          <div className="keys-actions">
            <Dialog.Close>{keyboardWords.close}</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
