import type { Translation } from "../language/translated.ts";
import type * as english from "../reason.ts";

export const reasonWords: Translation<typeof english.reasonWords> = {
  add: "Grund hinzufügen",
  optional: "Grund (optional; steht im Verlauf)",
  required: "Grund (steht im Verlauf)",
};
