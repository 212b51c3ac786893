import fc from "fast-check";
import { expect, test } from "vitest";
import { databaseOfTests } from "../support/database.ts";
import { role, user } from "../support/world.ts";

const database = await databaseOfTests();

const hard = [
  "\\N",
  "\\.",
  "\\",
  "\\\\n",
  "a\tb",
  "a\nb",
  "a\r\nb",
  "\r",
  "\b\f\v\u0001\u001f\u007f",
  "\"'`$(x)",
  "{a,b}",
  "null",
  " leading and trailing ",
  "%_",
  "İıßΣςﬁ",
  "佐藤 🦊 e\u0301",
  "\u2028\u2029\u0085\u00a0",
  "\ufeff",
  "\uffff\u{10ffff}",
];

/** Imports a text in every place a text can stand in, and reads it back from all of them. */
async function throughEverything(texts: readonly string[]): Promise<string[][]> {
  await database.import(
    ...texts.flatMap((text) => [
      { organization: { id: text, name: text } },
      { user: { id: text, organizationId: text, preferredLoginName: text, displayName: text } },
      { project: { id: text, organizationId: text, name: text } },
      role(text, text, text, text),
      { organization: { id: `${text}+`, name: text } },
      { projectGrant: { id: text, projectId: text, organizationId: `${text}+`, roleKeys: [text] } },
      { administrator: { userId: text, projectGrantId: text, roles: ["PROJECT_GRANT_OWNER"] } },
      {
        authorization: { id: text, userId: text, projectId: text, organizationId: `${text}+`, roleKeys: [text] },
      },
    ]),
  );
  return Promise.all(
    texts.map(async (text) => {
      const rows = await database.query<{ found: string[] }>(
        `select array[o.name, u.id, u.preferred_login_name, u.display_name, p.name, r.key, r.display_name, r.group_name,
           g.id, k.role_key, m.user_id, m.project_grant_id, a.id, h.role_key, e.authorization_id, e.role_keys[1]] as found
         from organizations o
         join users u on u.organization_id = o.id
         join projects p on p.organization_id = o.id
         join project_roles r on r.project_id = p.id
         join project_grants g on g.project_id = p.id
         join project_grant_roles k on k.project_grant_id = g.id
         join administrators m on m.project_grant_id = g.id
         join authorizations a on a.granted_by = g.id
         join authorization_roles h on h.authorization_id = a.id
         join events e on e.authorization_id = a.id
         where o.id = $1`,
        [text],
      );
      expect(rows).toHaveLength(1);
      return rows[0]?.found ?? [];
    }),
  );
}

test("every text comes out as it went in", async () => {
  const found = await throughEverything(hard);
  expect(found).toEqual(hard.map((text) => Array(16).fill(text)));
});

test("so does any other", async () => {
  const texts = fc.uniqueArray(
    fc.string({ unit: "binary", minLength: 1, maxLength: 100 }).filter((text) => !text.includes("\0")),
    { minLength: 150, maxLength: 150 },
  );
  const [sample = []] = fc.sample(texts, { seed: 20_260_131, numRuns: 1 });
  expect(await throughEverything(sample)).toEqual(sample.map((text) => Array(16).fill(text)));
});

test("ids and names are as long as they may be, counted in characters", async () => {
  const id = "\u20ac".repeat(200);
  const text = "🦊".repeat(200);
  const avatarUrl = `https://x.example/${"a".repeat(2_030)}`;
  await database.import(
    { organization: { id, name: text } },
    { user: { id, organizationId: id, preferredLoginName: text, displayName: text, avatarUrl } },
    { administrator: { userId: id, organizationId: id, roles: ["ORG_OWNER"] } },
  );
  expect(
    await database.query(
      "select id, organization_id, preferred_login_name, display_name, avatar_url from users where id = $1",
      [id],
    ),
  ).toEqual([{ id, organization_id: id, preferred_login_name: text, display_name: text, avatar_url: avatarUrl }]);
});

test("a user of one name and a user of another are two, whatever folds or sorts alike", async () => {
  await database.import(
    { organization: { id: "o", name: "o" } },
    ...["e\u0301", "\u00e9", "E", "e", "e "].map((id) => user(id, "o")),
  );
  const [row] = await database.query<{ count: number }>(
    "select count(*)::integer as count from users where organization_id = 'o'",
  );
  expect(row?.count).toBe(5);
});
