import { DialogFrame } from "../changes/dialog-frame.tsx";
import { keyboardWords as words } from "../words/keyboard.ts";
import { keysOf } from "./shortcuts.ts";

/** Lists what keys do. */
export function KeysDialog({ onClose }: { onClose: () => void }) {
  const rows = [[keysOf("search"), words.search], [keysOf("undo"), words.undo], ...words.elsewhere];
  return (
    <DialogFrame title={words.title} onClose={onClose} closeLabel={words.close}>
      <table>
        <thead>
          <tr>
            <th scope="col">{words.key}</th>
            <th scope="col">{words.does}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([keys, does]) => (
            <tr key={keys}>
              <td>
                <kbd>{keys}</kbd>
              </td>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </DialogFrame>
  );
}
