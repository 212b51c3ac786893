import { expect, it } from "vitest";

// The rule is in CONTRIBUTING.md, where it speaks of the console's texts.

const modules = import.meta.glob<Record<string, unknown>>("../../src/words/*.ts", { eager: true });

/** What stands in sentences where a name or a number comes. */
const placeholder = "…";

/** The same for sentences that are given several values by their names. */
const named = new Proxy({}, { get: () => placeholder });

/** All texts of a module, by where they are. Sentences with values in them are functions. */
function textsIn(value: unknown, way: string): [way: string, text: string][] {
  if (typeof value === "string") return [[way, value]];
  if (typeof value === "function") return textsIn(saidBy(value), way);
  if (Array.isArray(value) && way.includes(".facts.")) return [[way, value.join("")]];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, held]) => textsIn(held, `${way}.${name}`));
}

/** The sentence, whether it takes names, texts, numbers or lists. */
function saidBy(say: CallableFunction): unknown {
  for (const value of [named, placeholder, 2, [placeholder, placeholder]]) {
    try {
      return say(...Array.from({ length: say.length }, () => value));
    } catch {
      // It takes another kind of value.
    }
  }
  return [];
}

/** Headers of spreadsheets, which other products write. */
const ofOthers = /^(add-people\.addPeopleWords|assign-list\.assignListWords)\.headers\./;

const texts = Object.entries(modules)
  .flatMap(([file, words]) => textsIn(words, file.replace(/^.*\/(.*)\.ts$/, "$1")))
  .filter(([way]) => !ofOthers.test(way));

const directoryThings = "(person|people|project|organization|role|grant|administrator)s?";

it.each([
  ["people are not called users", /\busers?\b/i],
  ["assignments are deleted, not removed", /\bremov\w+ (the |an? |this |… |2 )?assignments?\b/i],
  ["assignments are deleted, not removed", /\bassignments? (is|are|was|were) (removed|ended|revoked)\b/i],
  ["tokens are revoked", /\b(remov|delet)\w+ (the |an? |this |… |2 )?tokens?\b/i],
  ["tokens are revoked", /\btokens? (is|are|was|were) (removed|deleted|ended)\b/i],
  [
    "only assignments are deleted",
    new RegExp(String.raw`\bdelet\w+ (the |an? |this |… |2 )?(administrator )?${directoryThings}\b(?!')`, "i"),
  ],
  ["only assignments are deleted", new RegExp(String.raw`\b${directoryThings} (is|are|was|were) deleted\b`, "i")],
  ["nothing but time and sessions ends", /\bend(s|ed|ing)? (the |an? |this |… )?(grant|assignment|role)/i],
  ["a constant stands behind its words", /(?<!\()\b(IAM|ORG|PROJECT)_[A-Z_]+\b/],
])("%s: %s", (_, refused) => {
  // The constants of other things, such as reasons of refusals, are names and not texts.
  expect(texts.filter(([, text]) => refused.test(text))).toEqual([]);
});

it("sees every text", () => {
  expect(texts.length).toBeGreaterThan(900);
  expect(texts).toContainEqual(["tokens.tokenWords.revokeOf", "Revoke the token …"]);
  expect(texts).toContainEqual(["directory-history.directoryHistoryWords.facts.administrator.added", "Made … … of …"]);
});
