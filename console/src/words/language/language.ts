/** The languages of the console, each by its own name. People whose browser asks for none of them read the first. */
export const languages = { en: "English", de: "Deutsch" } as const;

export type Language = keyof typeof languages;

const name = "authorization-console.language";

/** The language of this page, until it is loaded again. */
export const language: Language = chosenLanguage() ?? navigator.languages.map(withoutRegion).find(isLanguage) ?? "en";

/** The language with the reader's region, if the browser tells one. Numbers, dates and the order of names follow it. */
export const locale: string = navigator.languages.find((tag) => withoutRegion(tag) === language) ?? language;

/** What the reader chose in this browser; undefined if the browser's languages decide. */
export function chosenLanguage(): Language | undefined {
  try {
    const kept = localStorage.getItem(name) ?? "";
    return isLanguage(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the choice in this browser, if the browser allows it. It takes effect when the page is loaded again. */
export function keepLanguage(chosen: Language | undefined): void {
  try {
    if (chosen === undefined) localStorage.removeItem(name);
    else localStorage.setItem(name, chosen);
  } catch {
    // The browser's languages then decide.
  }
}

export function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(languages, tag);
}

function withoutRegion(tag: string): string {
  return tag.toLowerCase().split("-")[0] ?? tag;
}
