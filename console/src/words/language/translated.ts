/** Texts of a language in the shape of the English ones: sentences with values in them take the same values. */
export type Translation<English> = English extends (...values: infer Values) => infer Said
  ? (...values: Values) => Said extends string ? string : Said
  : English extends string
    ? string
    : English extends object
      ? { readonly [Name in keyof English]: Translation<English[Name]> }
      : English;

/** By the names of the exports of words/. Empty in English. */
let translations: Readonly<Record<string, unknown>> = {};

/** Must come before any module of words/ is evaluated, because many modules read their texts at once. */
export function translateBy(byName: Readonly<Record<string, unknown>>): void {
  translations = byName;
}

/** The texts in the reader's language. The name is that of the export. */
export function translated<English>(name: string, english: English): English {
  // The types of words/de prove the shape; only the literal types differ.
  return (translations[name] ?? english) as English;
}
