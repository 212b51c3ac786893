import { language } from "./language.ts";

/** Must be done before any other module is evaluated. */
export async function loadLanguage(): Promise<void> {
  document.documentElement.lang = language;
}
