import type { Dice } from "../../demo/dice.ts";
import { named } from "./world.ts";

/** What would show if a text became a part of SQL, of a pattern, or of anything else that is read again. */
const injections = [
  ...["' or true --", "'; drop table authorizations; --", "a1'; delete from events where ''='", "') or 1=1) --"],
  ...["x' union select hash::text from tokens --", "$1::text or true", "$$; select pg_sleep(9); $$"],
  "\\'; select 1; --",
  ...["\u02bc or true --", "{}", '{"a":1}', "{NULL}", "null", "\\x00", "E'\\\\000'", "%", "_", "\\", "\\%", "%ann%"],
  ...["a\\_b", "%' escape '!", "<script>alert(1)</script>", "../../etc/passwd", "%00", "\r\nset-cookie: a=b"],
  ...["__proto__", "constructor", "-1", "1e9", "[object Object]"],
];

/** Letters that are more than one byte, one code unit, or one case. */
const oddLetters = ["é", "ß", "İ", "ı", "ſ", "K", "Σ", "ς", "ﬁ", "中", "😀", "\u0301", "\u200b", "\u202e", "\ufeff"];
const controls = ["\u0001", "\u0008", "\u001b", "\u007f", "\u0085", "\u2028", "\ufffe", "\uffff"];

/** What Postgres cannot keep and requests must not hold. */
const unstorable = ["\0", "a\0b", "\ud800", "\udfff", "a\ud83d", "\ude00\ud83d", "\ud800\ud800"];

export type Bounds = { readonly least: number; readonly most: number; readonly mostBytes: number };

/** A text within the bounds of its field: something that exists, an attack, or a form that is seldom tried. Some attacks cannot be kept. */
export function goodText(dice: Dice, fieldName: string, bounds: Bounds, isAttack: boolean): string {
  if (isAttack && dice.chance(0.1)) return dice.pick(unstorable);
  const text = dice.chance(isAttack ? 0.6 : 0.12) ? dice.pick(injections) : anyText(dice, fieldName, bounds);
  return fits(text, bounds) ? text : dice.pick(knownAs(fieldName));
}

/** A text that breaks a rule. */
export function badText(dice: Dice, fieldName: string, { least, most, mostBytes }: Bounds): string {
  switch (dice.below(4)) {
    case 0:
      return least > 0 ? "" : "x".repeat(most + 1);
    case 1:
      return dice.pick(["x", "😀", "é"]).repeat(Math.min(most, 5_000) + 1);
    case 2:
      return mostBytes < Number.MAX_SAFE_INTEGER ? "😀".repeat(Math.ceil((mostBytes + 1) / 4)) : `a${"\0".repeat(3)}`;
    default:
      return dice.pick(knownAs(fieldName)).slice(0, 3) + dice.pick(unstorable);
  }
}

function anyText(dice: Dice, fieldName: string, { least, most, mostBytes }: Bounds): string {
  const kind = dice.below(20);
  if (kind < 13) return dice.pick(knownAs(fieldName));
  if (kind < 15)
    return fieldName === "avatar_url" ? "https://pictures.example/a.png" : dice.pick([...named.names, ...named.users]);
  if (kind < 17) return dice.pick([...oddLetters, ...controls]) + dice.pick(oddLetters).repeat(dice.below(4));
  if (kind === 17) return "x".repeat(least);
  if (kind === 18) return dice.pick(["x", "é"]).repeat(Math.min(most, 5_000));
  return "😀".repeat(Math.min(most, Math.floor(mostBytes / 4), 5_000));
}

function fits(text: string, { least, most, mostBytes }: Bounds): boolean {
  const length = text.length <= least || text.length > most ? Array.from(text).length : text.length;
  return length >= least && length <= most && Buffer.byteLength(text) <= mostBytes;
}

const { authorizations } = named;
/** Most fields that are just an id are an authorization's. */
const everyId = [authorizations, authorizations, authorizations]
  .concat([named.users, named.projects, named.organizations, named.grants])
  .flat();

/** What exists under a field of that name; it may also name something else. */
function knownAs(fieldName: string): readonly string[] {
  if (fieldName === "page_token") return pageTokens;
  if (fieldName === "avatar_url") return ["", "http://a.example", "https://é.example/?q#f"];
  if (/role|key/.test(fieldName)) return named.keys;
  if (/grant/.test(fieldName)) return named.grants;
  if (/organization/.test(fieldName)) return named.organizations;
  if (/project/.test(fieldName)) return named.projects;
  if (/user/.test(fieldName)) return named.users;
  if (/name|group/.test(fieldName)) return named.names;
  return everyId;
}

const tokenOf = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Those the service made are the caller's to change. */
const pageTokens = [
  ...["", "", "", "abc", "!", "====", "bnVsbA", "W10"],
  ...[tokenOf(["x"]), tokenOf(["", "1", "a1"]), tokenOf([1, 2, 3]), tokenOf({}), tokenOf(["a", "9".repeat(30), "b"])],
  ...[tokenOf(["a\0", "b", "c"]), tokenOf("[".repeat(500)), "W1tb".repeat(300)],
];
