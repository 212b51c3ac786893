import type * as english from "../orders.ts";

/** Steht nichts zwischen der Person und der Rolle, so ist die Rolle das letzte Wort. */
const ways = [
  /^(?:gib |gebe )?(?<person>.+?) (?:die |eine )?rollen? (?<role>.+?) (?:in|für) (?<project>.+?)(?: geben)?$/i,
  /^(?:gib|gebe) (?<person>.+?) (?:die |eine |den |das )?(?<role>\S+) (?:in|für) (?<project>.+?)$/i,
];

/** „Ann die Rolle Prüfung in Shop geben“, „dasselbe wie Ann“, „mit Ann vergleichen“, „Ann mit Bob vergleichen“, „Matrix von Shop“. */
export const orderIn: typeof english.orderIn = (text) => {
  const given = ways.map((way) => way.exec(text)).find((found) => found !== null);
  const { person = "", role = "", project = "" } = given?.groups ?? {};
  if (project !== "") return { what: "give", person, role, project };
  const [, one = "", another = ""] =
    /^vergleiche (.+?) (?:mit|und) (.+)$|^(.+?) (?:mit|und) (.+) vergleichen$/i.exec(text)?.filter(Boolean) ?? [];
  if (another !== "") return { what: "compare", person: one, other: another };
  const [, other = ""] =
    /^(?:gib )?dasselbe wie (.+)$|^vergleiche (?:mit )?(.+)$|^mit (.+) vergleichen$/i.exec(text)?.filter(Boolean) ?? [];
  if (other !== "") return { what: "same", person: other };
  const [, author = ""] =
    /^(?:alle )?änderungen (?:von|durch) (.+)$|^was hat (.+) geändert$/i.exec(text)?.filter(Boolean) ?? [];
  if (author !== "") return { what: "changes", person: author };
  const [, leaver = ""] = /^(?:austritt (?:von )?|sperre |deaktiviere )(.+)$/i.exec(text) ?? [];
  if (leaver !== "") return { what: "offboard", person: leaver };
  const [, of = ""] = /^matrix (?:von )?(.+)$/i.exec(text) ?? [];
  return of === "" ? undefined : { what: "matrix", project: of };
};
