import { describe, expect, test } from "vitest";
import { serveSmallWorld } from "../support/server.ts";
import { expectViolations } from "../support/violations.ts";

const { server, root } = await serveSmallWorld();

const letter = "\u{1f600}";
const keys = (count: number) => Array.from({ length: count }, (_, index) => `key-${index}`);

type Broken = readonly [jsonPath: string, rule: string];

describe("UpdateAuthorization refuses as invalid_argument", () => {
  const id = "a1";
  const cases: [string, object, Broken[]][] = [
    [
      "several things, and names them all at once",
      { id: "", roleKeys: ["x", "x", "", letter.repeat(201), "\0"] },
      [
        ["id", "string.min_len"],
        ["roleKeys", "repeated.unique"],
        ["roleKeys[2]", "string.min_len"],
        ["roleKeys[3]", "string.max_len"],
        ["roleKeys[4]", "string.storable"],
      ],
    ],
    [
      "what it breaks in snake case, by its JSON name",
      { id, role_keys: ["x", ""] },
      [["roleKeys[1]", "string.min_len"]],
    ],
  ];
  test.each(cases)("%s", async (_what, request, broken) => {
    expectViolations(await server.call("UpdateAuthorization", request, { token: root }), ...broken);
  });

  test("nothing about keys that differ in case, normalization or blanks, nor about 1000 keys of 200 characters", async () => {
    const long = keys(1_000).map((key) => key.padEnd(200, "x"));
    for (const roleKeys of [["seller", "Seller", "SELLER"], ["\u00e4", "a\u0308"], [" ", "  "], long]) {
      const answer = await server.call("UpdateAuthorization", { id, roleKeys }, { token: root });
      expect(answer.body.code).toBe("failed_precondition");
    }
  });
});
