import { accountWords } from "../words/account.ts";
import { chosenLanguage, isLanguage, keepLanguage, languages } from "../words/language/language.ts";

/** Chooses the language of the console in this browser. The page is loaded again in it. */
export function LanguageChoice() {
  function choose(value: string) {
    keepLanguage(isLanguage(value) ? value : undefined);
    location.reload();
  }

  return (
    <select
      aria-label={accountWords.language}
      value={chosenLanguage() ?? ""}
      onChange={({ target }) => choose(target.value)}
    >
      <option value="">{accountWords.ofBrowser}</option>
      {Object.entries(languages).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  );
}
