import { language } from "./language.ts";
import { translateBy } from "./translated.ts";

/** Must be done before any other module is evaluated. */
export async function loadLanguage(): Promise<void> {
  document.documentElement.lang = language;
  if (language === "de") translateBy((await import("../de/german.ts")).german);
}
