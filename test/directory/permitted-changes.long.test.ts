import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AdministratorRole, permissionsOfRole } from "../../src/authorization/permissions.ts";
import { applyChanges, entry, organization } from "../support/changes.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { denied, expectRefusal } from "../support/refusals.ts";
import { type Answer, errorInfo, startTestServer, type TestServer } from "../support/server.ts";
import { user } from "../support/world.ts";
import { columns, rows, scopesOf, world } from "./permission-table.ts";

// docs/reference/permissions.md: who may make which change.

let server: TestServer;
const roles = Object.keys(permissionsOfRole) as AdministratorRole[];
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await startTestServer();
  await server.database.load(
    ...world,
    user("plain", "mine"),
    organization("home"),
    ...roles.flatMap((name) => [user(name, "home"), ...scopesOf(name).map((scope) => entry(name, scope, name))]),
  );
  for (const name of roles) tokens.set(name, await server.database.token(name));
});
afterAll(() => server.stop());

/**
 * Judges a change without making it: the request names it twice, which is refused once everything in it is permitted.
 */
async function judge(name: string, change: object): Promise<"permitted" | Answer> {
  const answer = await applyChanges(server, tokens.get(name) ?? "", [change, change]);
  return errorInfo(answer)?.reason === "DUPLICATE_CHANGE" ? "permitted" : answer;
}

/** Those who may change nothing are refused before their request is read. */
function refusalFor(name: AdministratorRole, permission: string) {
  const refusal = denied(columns.some((column) => column === name) ? permission : "directory.write");
  if (!columns.some((column) => column === name)) return refusal;
  return { ...refusal, metadata: { ...refusal.metadata, index: "0" } };
}

describe("The table of changes decides, and a refusal is the same to the last byte whatever exists:", () => {
  test.each(roles)("%s", async (name) => {
    const before = await fingerprint(server.database);
    const texts = new Map<string, string>();
    const column = columns.indexOf(name as (typeof columns)[number]);
    for (const { change, permission, answers: marks, own, elsewhere, nowhere } of rows) {
      const answer = column === -1 ? "-" : marks[column];
      const expected = { own: answer !== "-", elsewhere: answer === "a", nowhere: answer === "a" };
      for (const [where, changes] of Object.entries({ own, elsewhere, nowhere })) {
        const answers = await Promise.all(changes.map((one) => judge(name, one)));
        for (const [index, judged] of answers.entries()) {
          const one = changes[index];
          const isPermitted = expected[where as keyof typeof expected];
          expect({ change, where, one, isPermitted: judged === "permitted" }).toEqual({
            change,
            where,
            one,
            isPermitted,
          });
          if (judged === "permitted") continue;
          expectRefusal(judged, refusalFor(name, permission));
          const first = texts.get(permission) ?? JSON.stringify(judged.body);
          texts.set(permission, first);
          expect(JSON.stringify(judged.body)).toBe(first);
        }
      }
    }
    expect(await fingerprint(server.database)).toEqual(before);
  });

  test("it has every role that may change anything", () => {
    const changing = roles.filter((name) => permissionsOfRole[name].some((each) => !each.startsWith("user.grant.")));
    expect(changing).toEqual([...columns]);
    for (const { answers } of rows) expect(answers).toHaveLength(columns.length);
  });
});
