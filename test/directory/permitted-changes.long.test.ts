import { describe, expect, test } from "vitest";
import type { AdministratorRole } from "../../src/authorization/permissions.ts";
import { applyChanges, entry, organization } from "../support/changes.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { changesOnPage, fieldOnPage, isLimitedOnPage, rolesOnPage } from "../support/permissions-page.ts";
import { denied, deniedAt, expectRefusal } from "../support/refusals.ts";
import { type Answer, errorInfo, serveTests } from "../support/server.ts";
import { user } from "../support/world.ts";
import { ownScopes, samples, world } from "./sample-changes.ts";

// docs/reference/permissions.md: who may make which change.

const roles = [...rolesOnPage.keys()];
const tokens = new Map<string, string>();

const server = await serveTests();
await server.database.load(
  ...world,
  user("plain", "mine"),
  organization("home"),
  ...roles.flatMap((name) => [
    user(name, "home"),
    ...ownScopes[fieldOnPage(name)].map((scope) => entry(name, scope, name)),
  ]),
);
for (const name of roles) tokens.set(name, await server.database.token(name));

/**
 * Judges a change without making it: the request names it twice, which is refused once everything in it is permitted.
 */
async function judge(name: string, change: object): Promise<"permitted" | Answer> {
  const answer = await applyChanges(server, tokens.get(name) ?? "", [change, change]);
  return errorInfo(answer)?.reason === "DUPLICATE_CHANGE" ? "permitted" : answer;
}

/** Those who may change nothing are refused before their request is read. */
function refusalFor(name: AdministratorRole, permission: string) {
  if (rolesOnPage.get(name)?.every((held) => held.startsWith("user.grant."))) return denied("directory.write");
  return deniedAt(0, permission);
}

/** Where the page lets the role make the change. */
function permittedTo(name: AdministratorRole, { permission, through, isWhole }: (typeof changesOnPage)[number]) {
  const isHeld = rolesOnPage.get(name)?.includes(permission) && !(isWhole && isLimitedOnPage(name, permission));
  const own = isHeld === true && through.includes(fieldOnPage(name));
  const everywhere = own && fieldOnPage(name) === "instance";
  return { own, elsewhere: everywhere, nowhere: everywhere };
}

describe("The page decides, and a refusal is the same to the last byte whatever exists:", () => {
  test("there are samples of every change", () => {
    expect(Object.keys(samples)).toEqual(changesOnPage.map(({ change }) => change));
  });

  test.each(roles)("%s", async (name) => {
    const before = await fingerprint(server.database);
    const texts = new Map<string, string>();
    for (const row of changesOnPage) {
      const { change, permission } = row;
      const expected = permittedTo(name, row);
      for (const [where, changes] of Object.entries(samples[change] ?? {})) {
        const answers = await Promise.all(changes.map((one) => judge(name, one)));
        for (const [index, judged] of answers.entries()) {
          const asked = { change, where, one: changes[index] };
          const isPermitted = expected[where as keyof typeof expected];
          expect({ ...asked, isPermitted: judged === "permitted" }).toEqual({ ...asked, isPermitted });
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
});
