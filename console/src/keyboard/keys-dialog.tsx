import "./keyboard.css";
import { useEffect, useEffectEvent, useState } from "react";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { keyboardWords } from "../words/keyboard.ts";
import { Keys } from "./keys.tsx";
import { type Shortcut, shortcuts } from "./shortcuts.ts";
import { hasSingleKeys, setSingleKeys } from "./single-keys.ts";

type Elsewhere = keyof typeof keyboardWords.elsewhere;

/** Lists the keyboard shortcuts. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  useSameKey(onClose);
  const [isSingle, setSingle] = useState(hasSingleKeys);
  return (
    <DialogFrame title={keyboardWords.title} onClose={onClose} closeLabel={keyboardWords.close}>
      <table className="keys">
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
      <div>
        <label>
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
      </div>
    </DialogFrame>
  );
}

/** The key that opens the list closes it, too. */
function useSameKey(onClose: () => void): void {
  const press = useEffectEvent(({ key }: KeyboardEvent) => {
    if (key === shortcuts.help.key && hasSingleKeys()) onClose();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
