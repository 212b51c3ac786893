import { describe, expect, test } from "vitest";
import { serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true });
const root = await server.database.token("root");

const letter = "\u{1f600}";
const keys = (count: number) => Array.from({ length: count }, (_, index) => `key-${index}`);

/** The path each violation names, in the message with the client's names, and the rule it breaks. */
type Broken = readonly [jsonPath: string, rule: string];

async function expectInvalid(rpc: string, request: object, broken: readonly Broken[]): Promise<void> {
  const answer = await server.call(rpc, request, { token: root });
  expect(answer.status).toBe(400);
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.body.code).toBe("invalid_argument");
  expect(answer.body.details).toHaveLength(1);
  const [{ type, debug, value }] = answer.body.details;
  expect(type).toBe("buf.validate.Violations");
  expect(value).toMatch(/^[A-Za-z0-9+/]+$/);
  const named = answer.body.message.split("; ").map((text: string) => text.split(": ", 1)[0]);
  const rules = debug.violations.map((violation: any) => violation.ruleId);
  expect(named.map((path: string, index: number) => [path, rules[index]])).toEqual(broken);
}

describe("UpdateAuthorization refuses as invalid_argument", () => {
  const id = "a1";
  const cases: [string, object, Broken[]][] = [
    ["duplicate keys", { id, roleKeys: ["seller", "owner", "seller"] }, [["roleKeys", "repeated.unique"]]],
    ["1001 keys", { id, roleKeys: keys(1_001) }, [["roleKeys", "repeated.max_items"]]],
    ["an empty key", { id, roleKeys: ["seller", ""] }, [["roleKeys[1]", "string.min_len"]]],
    ["a key of 201 characters", { id, roleKeys: ["x", letter.repeat(201)] }, [["roleKeys[1]", "string.max_len"]]],
    ["a key with a NUL character", { id, roleKeys: ["x", "y", "a\0"] }, [["roleKeys[2]", "string.storable"]]],
    [
      "several things, and names them all at once",
      { id: "", roleKeys: ["x", "x", "", "y".repeat(201), "\0"] },
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
  test.each(cases)("%s", (_what, request, broken) => expectInvalid("UpdateAuthorization", request, broken));

  test("nothing about keys that differ in case, normalization or blanks, nor about 1000 keys of 200 characters", async () => {
    const long = keys(1_000).map((key) => key.padEnd(200, "x"));
    for (const roleKeys of [["seller", "Seller", "SELLER"], ["\u00e4", "a\u0308"], [" ", "  "], long]) {
      const answer = await server.call("UpdateAuthorization", { id, roleKeys }, { token: root });
      expect(answer.body.code).toBe("failed_precondition");
    }
  });
});
