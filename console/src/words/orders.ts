import { translated } from "./language/translated.ts";

/** What can be asked for by a sentence. A language has sentences of its own. */
export type Order =
  | { readonly what: "give"; readonly person: string; readonly role: string; readonly project: string }
  | { readonly what: "compare"; readonly person: string; readonly other: string }
  | { readonly what: "same" | "changes" | "offboard"; readonly person: string }
  | { readonly what: "matrix"; readonly project: string };

/** How people say who gets which role. If nothing stands between the person and the role, the role is the last word. */
const ways = [
  /^(?:give|make|add) (?<person>.+?) (?:the |an? |as (?:an? |the )?)?roles? (?<role>.+?) (?:in|for|of) (?<project>.+)$/i,
  /^(?:give|make) (?<person>.+?) (?:the|an?) (?<role>.+?)(?: role)? (?:in|for|of) (?<project>.+)$/i,
  /^add (?<person>.+?) as (?:an? |the )?(?<role>.+?)(?: role)? (?:in|to|for|of) (?<project>.+)$/i,
  /^add (?<person>.+?) to (?<project>.+?) as (?:an? |the )?(?<role>.+?)$/i,
  /^(?:give|make|add) (?<person>.+) (?<role>\S+?)(?: role)? (?:in|for|of) (?<project>.+)$/i,
];

export const orderIn = translated("orderIn", (text: string): Order | undefined => {
  const given = ways.map((way) => way.exec(text)).find((found) => found !== null);
  const { person = "", role = "", project = "" } = given?.groups ?? {};
  if (project !== "") return { what: "give", person, role, project };
  const [, one = "", another = ""] = /^compare (.+?) (?:with|and|to) (.+)$/i.exec(text) ?? [];
  if (another !== "") return { what: "compare", person: one, other: another };
  const [, other = ""] =
    /^(?:give )?(?:the )?same as (.+)$|^compare (?:with )?(.+)$/i.exec(text)?.filter(Boolean) ?? [];
  if (other !== "") return { what: "same", person: other };
  const [, author = ""] =
    /^(?:all )?changes (?:made )?by (.+)$|^what did (.+) change$/i.exec(text)?.filter(Boolean) ?? [];
  if (author !== "") return { what: "changes", person: author };
  const [, leaver = ""] = /^(?:off-?board|suspend|deactivate) (.+)$/i.exec(text) ?? [];
  if (leaver !== "") return { what: "offboard", person: leaver };
  const [, of = ""] = /^matrix (?:of )?(.+)$/i.exec(text) ?? [];
  return of === "" ? undefined : { what: "matrix", project: of };
});
