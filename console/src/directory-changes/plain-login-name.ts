/**
 * A plain form of a login name. Two login names with the same one look alike to people.
 *
 * It ignores upper and lower case, accents and other marks, invisible characters and spaces around it, and how Unicode writes
 * the same letters: wide and styled ones, ligatures, and composed and decomposed accents.
 *
 * It doesn't know letters of different scripts that look the same (Latin a and Cyrillic а), nor ASCII characters that do (l,
 * I and 1, O and 0, rn and m). Unicode's tables of confusable characters know these, but find many harmless pairs, too.
 */
export function plainLoginName(loginName: string): string {
  return loginName
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\p{Mark}\p{Default_Ignorable_Code_Point}]/gu, "")
    .normalize("NFC")
    .trim();
}
