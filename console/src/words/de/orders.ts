import type * as english from "../orders.ts";

/** „Ann die Rolle Prüfung in Shop geben“, „dasselbe wie Ann“, „mit Ann vergleichen“, „Ann mit Bob vergleichen“, „Matrix von Shop“. */
export const orderIn: typeof english.orderIn = (text) => {
  const given =
    /^(?:gib |gebe )?(.+?) (?:die |eine )?(?:rolle |rollen )(.+?) (?:in|für) (.+?)(?: geben)?$/i.exec(text) ?? [];
  const [, person = "", role = "", project = ""] = given;
  if (project !== "") return { what: "give", person, role, project };
  const [, one = "", another = ""] =
    /^vergleiche (.+?) (?:mit|und) (.+)$|^(.+?) (?:mit|und) (.+) vergleichen$/i.exec(text)?.filter(Boolean) ?? [];
  if (another !== "") return { what: "compare", person: one, other: another };
  const [, other = ""] =
    /^(?:gib )?dasselbe wie (.+)$|^vergleiche (?:mit )?(.+)$|^mit (.+) vergleichen$/i.exec(text)?.filter(Boolean) ?? [];
  if (other !== "") return { what: "same", person: other };
  const [, leaver = ""] = /^(?:austritt (?:von )?|sperre )(.+)$/i.exec(text) ?? [];
  if (leaver !== "") return { what: "offboard", person: leaver };
  const [, of = ""] = /^matrix (?:von )?(.+)$/i.exec(text) ?? [];
  return of === "" ? undefined : { what: "matrix", project: of };
};
