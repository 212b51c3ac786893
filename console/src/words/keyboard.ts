import { translated } from "./language/translated.ts";

/** The words of the keyboard shortcuts and of the dialog that lists them. */
export const keyboardWords = translated("keyboardWords", {
  title: "Keyboard shortcuts",
  close: "Close",
  search: "Search everything",
  undo: "Undo the last change",
  elsewhere: [
    ["↑ ↓ ← →", "Move between rows of the table, counts to filter by, or columns of a chart"],
    ["Enter", "Open the row, button, or link that has the focus"],
    ["Space", "Select the row whose box has the focus; with Shift, all rows up to it"],
    ["Esc", "Close the panel, dialog, or list"],
    ["Tab, Shift Tab", "Go to the next or previous control"],
  ],
} as const);
