import { describe, expect, test } from "vitest";
import { textMatches } from "../oracle/model/list.ts";
import { methods, textFields } from "../support/list-requests.ts";
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

const asked = [
  ["Shop Floor", "SHOP fLOOR", "Shop", "SHOP", "p F", "P f", "FLOOR", "  ", "Shop Floor, too long"],
  ["100%", "100", "%", "% S", "sure", "A_B", "a_", "_B", "_", "c:\\", "L\\", "\\", "'"],
  ["ärGER ÜBer", "äRG", "GER ü", "STRAßE", "STRASSE", "İzmir", "İZMIR", "IRM"],
  ["ΟΔΟΣ", "οδοσ", "οδΟΣ", "ΔΟΣ", "Σ", "σ", "ς", "ταξ", "𐐨𐐀 X", "𐐀𐐀", "😀", "SMILE"],
].flat();

const server = await serveTests();
await server.database.load(...world());
const token = await server.database.token("root");

describe.each(Object.entries(textFields))("a text filter of ListAuthorizations: %s", (kind, field) => {
  test.each(methods)("%s finds what the in-memory model finds", async (method) => {
    for (const text of asked) {
      const ids = Object.keys(texts).filter((id) => textMatches(method, texts[id] ?? "", text));
      expect(await idsWith({ method }, text), text).toEqual(ids.sort());
    }
  });

  test("compares the whole text when no method is given", async () => {
    expect(await idsWith({}, "Shop Floor")).toEqual(["capital"]);
    expect(await idsWith({}, "Shop")).toEqual([]);
  });

  async function idsWith(method: object, text: string): Promise<string[]> {
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
