import type { Translation } from "../language/translated.ts";
import type * as english from "../scopes.ts";

export const scopeWords: Translation<typeof english.scopeWords> = {
  of: "für",
  instance: "alles",
  asGrantedTo: "als Freigabe für",
  elsewhere: "eine Stelle, die diese Seite nicht kennt",
};
