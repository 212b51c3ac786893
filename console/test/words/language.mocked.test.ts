import { afterEach, beforeEach, expect, it, vi } from "vitest";

const key = "authorization-console.language";

beforeEach(() => vi.resetModules());

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  vi.resetModules();
});

/** The modules as a page evaluates them in a browser that asks for these languages. */
async function pageFor(languages: readonly string[]) {
  vi.spyOn(navigator, "languages", "get").mockReturnValue(languages);
  const { loadLanguage } = await import("../../src/words/language/load-language.ts");
  await loadLanguage();
  return {
    ...(await import("../../src/words/language/language.ts")),
    ...(await import("../../src/words/frame.ts")),
    ...(await import("../../src/words/counted.ts")),
    ...(await import("../../src/words/pages.ts")),
  };
}

it.each([
  ["de-AT first", ["de-AT", "en"], "de", "de-AT"],
  ["English first", ["en-GB", "de"], "en", "en-GB"],
  ["another one before German", ["fr-FR", "de"], "de", "de"],
  ["no known one", ["fr-FR"], "en", "en"],
])("the browser's languages decide: %s", async (_, languages, language, locale) => {
  expect(await pageFor(languages)).toMatchObject({ language, locale });
  expect(document.documentElement.lang).toBe(language);
});

it("the choice of a person goes before the browser's languages, until it is taken back", async () => {
  const { keepLanguage } = await pageFor(["en-GB"]);
  keepLanguage("de");
  vi.resetModules();
  const german = await pageFor(["en-GB"]);
  expect(german).toMatchObject({ language: "de", locale: "de" });
  german.keepLanguage(undefined);
  expect(localStorage.getItem(key)).toBeNull();
  vi.resetModules();
  expect((await pageFor(["en-GB"])).language).toBe("en");
});

it("a choice that is no language of the console is none", async () => {
  localStorage.setItem(key, "toString");
  expect((await pageFor(["en-GB"])).language).toBe("en");
});

it("texts, numbers and plurals are those of the language", async () => {
  const { frameWords, counted, pageWords } = await pageFor(["de-DE"]);
  expect(frameWords.history).toBe("Verlauf");
  expect(counted(2_000, pageWords.people)).toBe("2.000 Personen");
  expect(counted(1, pageWords.people)).toBe("1 Person");
  expect(counted(Number.POSITIVE_INFINITY, pageWords.roles)).toBe("mehr als 10.000 Rollen");
});
