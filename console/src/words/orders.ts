import { translated } from "./language/translated.ts";

/** What can be asked for by a sentence. A language has sentences of its own. */
export type Order =
  | { readonly what: "give"; readonly person: string; readonly role: string; readonly project: string }
  | { readonly what: "compare"; readonly person: string; readonly other: string }
  | { readonly what: "same" | "offboard"; readonly person: string }
  | { readonly what: "matrix"; readonly project: string };

export const orderIn = translated("orderIn", (text: string): Order | undefined => {
  const [, person = "", role = "", project = ""] =
    /^give (.+?) (?:the |a |an )?(?:role |roles )(.+?) (?:in|for) (.+)$/i.exec(text) ?? [];
  if (project !== "") return { what: "give", person, role, project };
  const [, one = "", another = ""] = /^compare (.+?) (?:with|and|to) (.+)$/i.exec(text) ?? [];
  if (another !== "") return { what: "compare", person: one, other: another };
  const [, other = ""] =
    /^(?:give )?(?:the )?same as (.+)$|^compare (?:with )?(.+)$/i.exec(text)?.filter(Boolean) ?? [];
  if (other !== "") return { what: "same", person: other };
  const [, leaver = ""] = /^(?:off-?board|suspend) (.+)$/i.exec(text) ?? [];
  if (leaver !== "") return { what: "offboard", person: leaver };
  const [, of = ""] = /^matrix (?:of )?(.+)$/i.exec(text) ?? [];
  return of === "" ? undefined : { what: "matrix", project: of };
});
