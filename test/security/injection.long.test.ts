import { describe, expect, test } from "vitest";
import { apply, applyChanges, entry, organization, project, projectGrant } from "../support/changes.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { expectInvariants } from "../support/invariants.ts";
import { serveSmallWorld } from "../support/server.ts";
import { textPlaces } from "../support/string-fields.ts";
import { authorization, role, user } from "../support/world.ts";

const { server, root } = await serveSmallWorld();

/** Texts that mean something to SQL, LIKE, COPY, arrays, JSON or JavaScript, were they taken for more than texts. */
const hostile = [
  "'; drop table tokens; --",
  "' or '1'='1",
  "\\'; select pg_sleep(10); --",
  "$1",
  "$$; drop table tokens; $$",
  "a1' union select id from tokens --",
  "%",
  "_",
  "\\",
  "\\.",
  "\\N",
  '{"a","b"}',
  "{}",
  "\u{1f600}'",
  "NULL",
  "/*",
  "\r\n\t",
  "__proto__",
  "constructor",
  "toString",
  "$" + "{7*7}",
];

describe("A hostile text is a text like any other", () => {
  test.each(textPlaces)("in $rpc $field: it changes nothing and finds nothing", async ({ rpc, request }) => {
    const before = await fingerprint(server.database);
    for (const text of hostile) {
      const { status, body } = await server.call(rpc, request(text), { token: root });
      expect([200, 400, 404], `${text}: ${JSON.stringify(body)}`).toContain(status);
      if (status === 200) expect(body.pagination.totalResult, text).toBe(0);
    }
    expect(await fingerprint(server.database)).toEqual(before);
  });

  test.each(hostile)("as every id, key and name of the directory: %j", async (text) => {
    await apply(
      server,
      root,
      organization(text, text),
      organization(`${text}2`),
      user(text, text, text),
      project(text, text, text),
      role(text, text, text, text),
      projectGrant(text, text, `${text}2`, text),
      entry(text, { projectId: text }, "PROJECT_OWNER"),
      authorization(text, text, text, text, [text], "2024-01-01T00:00:00Z"),
    );
    const filters = [
      { authorizationIds: { ids: [text] } },
      { userId: { id: text } },
      { userDisplayName: { displayName: text, method: "TEXT_FILTER_METHOD_EQUALS" } },
      { projectName: { name: text, method: "TEXT_FILTER_METHOD_CONTAINS" } },
      { roleKey: { key: text, method: "TEXT_FILTER_METHOD_STARTS_WITH" } },
    ];
    const { body } = await server.call("ListAuthorizations", { filters }, { token: root });
    expect(body.authorizations).toMatchObject([
      { id: text, project: { id: text, name: text }, user: { id: text, displayName: text }, roles: [{ key: text }] },
    ]);
    const removals = [{ remove: { organizationId: text } }, { remove: { organizationId: `${text}2` } }];
    await apply(server, root, ...removals);
    await expectInvariants(server.database);
  });

  test("as the name of an administrator role, which is none though every object has a constructor", async () => {
    for (const name of hostile) {
      const { status, body } = await applyChanges(server, root, [entry("ann", { projectId: "shop" }, name)]);
      expect([status, body.code, name], JSON.stringify(body)).toEqual([400, "failed_precondition", name]);
    }
  });

  test("as a name of a field, on every level", async () => {
    for (const name of hostile) {
      for (const request of [{ [name]: {} }, { filters: [{ [name]: {} }] }, { filters: [{ state: { [name]: 1 } }] }]) {
        const text = JSON.stringify(request, (_, value) => value);
        expect((await server.call("ListAuthorizations", text, { token: root })).status, text).toBe(400);
      }
    }
    expect(({} as Record<string, unknown>).a1).toBeUndefined();
  });
});
