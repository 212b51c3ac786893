import { translated } from "./language/translated.ts";

/** The words of the keyboard shortcuts and of the dialog that lists them. */
export const keyboardWords = translated("keyboardWords", {
  title: "Keyboard shortcuts",
  key: "Key",
  does: "What it does",
  single: "Use shortcuts of a single key",
  singleHint: "Turn them off if you dictate, or if your keyboard gets in their way.",
  close: "Close",
  shortcuts: {
    search: "Search everything",
    help: "Show these shortcuts",
    filter: "Search the people of the table",
    create: "New assignment",
    undo: "Undo the last change",
    facets: "Show or hide the counts to filter by",
  },
  elsewhere: {
    arrows: "Move between rows of the table, counts to filter by, or columns of a chart",
    enter: "Open the row, button, or link that has the focus",
    space: "Select the row whose box has the focus; with Shift, all rows up to it",
    escape: "Close the panel, dialog, or list",
    tab: "Go to the next or previous control",
  },
  keys: {
    arrows: "↑ ↓ ← →",
    enter: "Enter",
    space: "Space",
    escape: "Esc",
    tab: "Tab, Shift Tab",
  },
} as const);
