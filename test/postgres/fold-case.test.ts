import { describe, expect, test } from "vitest";
import { databaseOfTests } from "../support/database.ts";

const database = await databaseOfTests();

/** Letters with exactly one partner in the other case, of all scripts. */
const pairs = Array.from({ length: 0x2_0000 }, (_, code) => String.fromCodePoint(code))
  .filter((letter) => letter.isWellFormed())
  .map((letter) => [letter, letter.toLowerCase()] as const)
  .filter(([capital, small]) => small !== capital && [...small].length === 1 && small.toUpperCase() === capital);

describe("fold_case", () => {
  test("folds letters with one-to-one case pairs", async () => {
    expect(pairs.length).toBeGreaterThan(1_400);
    const apart = await database.query(
      `select capital, small from unnest($1::text[], $2::text[]) as pair (capital, small)
       where fold_case(capital) <> fold_case(small)
         or fold_case('x' || capital || ' ' || small || 'y') <> fold_case('X' || small || ' ' || capital || 'Y')`,
      [pairs.map(([capital]) => capital), pairs.map(([, small]) => small)],
    );
    expect(apart).toEqual([]);
  });

  test("folds a text as it folds its parts, so that a part that is cut off is found", async () => {
    const letters = [...new Set(pairs.flat()), "ς", "İ", "ı", "ß", "ẞ", "ﬀ", "K", "%", "\\", " ", "́", "̇", "ͅ"];
    const torn = await database.query(
      `select one, other from unnest($1::text[]) as one cross join unnest($2::text[]) as other
       where fold_case(one || other) <> fold_case(one) || fold_case(other)
          or fold_case('Aa' || one || other || 'Σ') <> 'aa' || fold_case(one) || fold_case(other) || 'σ'`,
      [letters, ["Σ", "σ", "ς", "a", "I", "i", "İ", "J", "́", "̇", "ͅ", " ", "'", "😀"]],
    );
    expect(torn).toEqual([]);
  });
});
