import { describe, expect, test } from "vitest";
import { textFields } from "../support/list-requests.ts";
import { serveTests } from "../support/server.ts";
import { authorization, role } from "../support/world.ts";

/** Each is a login name, a display name, a project name, an organization name and a role key of the authorization of that id. */
const texts: Record<string, string> = {
  capital: "Shop Floor",
  small: "shop floor",
  percent: "100% sure",
  digits: "100 percent sure",
  underscore: "a_b",
  letter: "aXb",
  backslash: "c:\\dir",
  trailing: "tail\\",
  quote: "O'Neil",
  umlaut: "ÄRGER Über",
  smallUmlaut: "ärger über",
  sigma: "ΟΔΟΣ",
  smallSigma: "οδοσ",
  finalSigma: "οδος",
  sharp: "Straße",
  dotted: "İzmir",
  dotless: "ırmak IRMAK",
  deseret: "𐐀𐐨 x",
  emoji: "😀 smile",
};

/** What each method finds. The contract is silent where letters have no partner, or more than one. */
const finds: Record<string, [text: string, ids: string[]][]> = {
  EQUALS: [
    ["Shop Floor", ["capital"]],
    ["shop", []],
    ["100%", []],
    ["%", []],
    ["a_b", ["underscore"]],
    ["c:\\dir", ["backslash"]],
    ["ΟΔΟΣ", ["sigma"]],
    ["İzmir", ["dotted"]],
    ["STRASSE", []],
  ],
  EQUALS_IGNORE_CASE: [
    ["SHOP fLOOR", ["capital", "small"]],
    ["SHOP", []],
    ["A_B", ["underscore"]],
    ["C:\\DIR", ["backslash"]],
    ["ärGER ÜBer", ["smallUmlaut", "umlaut"]],
    ["STRAßE", ["sharp"]],
    ["İZMIR", ["dotted"]],
    ["𐐨𐐀 X", ["deseret"]],
  ],
  STARTS_WITH: [
    ["Shop", ["capital"]],
    ["100%", ["percent"]],
    ["100", ["digits", "percent"]],
    ["a_", ["underscore"]],
    ["c:\\", ["backslash"]],
    ["_", []],
    ["😀", ["emoji"]],
    ["Shop Floor, too long", []],
  ],
  STARTS_WITH_IGNORE_CASE: [
    ["SHOP", ["capital", "small"]],
    ["A_", ["underscore"]],
    ["C:\\D", ["backslash"]],
    ["äRG", ["smallUmlaut", "umlaut"]],
    ["𐐀𐐀", ["deseret"]],
    ["FLOOR", []],
  ],
  CONTAINS: [
    ["p F", ["capital"]],
    ["%", ["percent"]],
    ["_", ["underscore"]],
    ["\\", ["backslash", "trailing"]],
    ["'", ["quote"]],
    ["ß", ["sharp"]],
    ["ς", ["finalSigma"]],
    ["  ", []],
  ],
  CONTAINS_IGNORE_CASE: [
    ["P f", ["capital", "small"]],
    ["% S", ["percent"]],
    ["A_B", ["underscore"]],
    ["GER ü", ["smallUmlaut", "umlaut"]],
    ["ταξ", []],
    ["IRM", ["dotless"]],
  ],
  ENDS_WITH: [
    ["Floor", ["capital"]],
    ["sure", ["digits", "percent"]],
    ["% sure", ["percent"]],
    ["_b", ["underscore"]],
    ["\\", ["trailing"]],
    ["Σ", ["sigma"]],
    ["shop", []],
  ],
  ENDS_WITH_IGNORE_CASE: [
    ["FLOOR", ["capital", "small"]],
    ["_B", ["underscore"]],
    ["L\\", ["trailing"]],
    ["ÜBER", ["smallUmlaut", "umlaut"]],
    ["SMILE", ["emoji"]],
  ],
};

/** A sigma at the end of a word has two small letters; a capital one and the ordinary small one are a pair. */
const sigmaFinds: [method: string, text: string][] = [
  ["EQUALS_IGNORE_CASE", "ΟΔΟΣ"],
  ["EQUALS_IGNORE_CASE", "οδοσ"],
  ["STARTS_WITH_IGNORE_CASE", "οδΟΣ"],
  ["CONTAINS_IGNORE_CASE", "Σ"],
  ["CONTAINS_IGNORE_CASE", "σ"],
  ["CONTAINS_IGNORE_CASE", "δοσ"],
  ["ENDS_WITH_IGNORE_CASE", "Σ"],
  ["ENDS_WITH_IGNORE_CASE", "σ"],
  ["ENDS_WITH_IGNORE_CASE", "ΔΟΣ"],
];

const server = await serveTests();
await server.database.load(...world());
const token = await server.database.token("root");

describe.each(Object.entries(textFields))("a text filter of ListAuthorizations: %s", (kind, field) => {
  test.each(Object.entries(finds))("%s finds exactly the texts it should", async (name, cases) => {
    for (const [text, expected] of cases) expect(await idsWith(name, text), text).toEqual(expected);
  });

  test("takes a capital and an ordinary small sigma for a pair, wherever the word ends", async () => {
    for (const [name, text] of sigmaFinds) {
      const ids = await idsWith(name, text);
      expect(
        ids.filter((id) => id !== "finalSigma"),
        `${name} ${text}`,
      ).toEqual(["sigma", "smallSigma"]);
    }
  });

  test("compares the whole text when no method is given", async () => {
    expect(await idsWith(undefined, "Shop Floor")).toEqual(["capital"]);
    expect(await idsWith(undefined, "Shop")).toEqual([]);
  });

  async function idsWith(name: string | undefined, text: string): Promise<string[]> {
    const method = name === undefined ? {} : { method: `TEXT_FILTER_METHOD_${name}` };
    const filters = [{ [kind]: { [field]: text, ...method } }];
    const { body } = await server.call("ListAuthorizations", { filters }, { token });
    return body.authorizations.map(({ id }: { id: string }) => id).sort();
  }
});

function world(): object[] {
  return [
    { organization: { id: "o", name: "o" } },
    { user: { id: "root", organizationId: "o", preferredLoginName: "root", displayName: "", avatarUrl: "" } },
    { administrator: { userId: "root", instance: true, roles: ["IAM_OWNER"] } },
    ...Object.entries(texts).flatMap(([id, text]) => [
      { organization: { id, name: text } },
      { user: { id, organizationId: "o", preferredLoginName: text, displayName: text, avatarUrl: "" } },
      { project: { id, organizationId: id, name: text } },
      role(id, text),
      authorization(id, id, id, id, [text], "2024-01-01T00:00:00Z"),
    ]),
  ];
}
