import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";
import { newActor } from "../../src/authorization/actor.ts";
import { hashToken } from "../../src/identity/tokens.ts";
import { postgresImport } from "../../src/postgres/directory/import/import-store.ts";
import { clearEverything } from "../support/clear-everything.ts";
import { placed } from "../support/placed-changes.ts";
import { tables as directory } from "../support/stored.ts";
import { authorization, person, role, smallWorld, user } from "../support/world.ts";

/** Rows that no input names: their ids are in no pool. Whatever changes them reached beyond what it was about. */
const untouchable = "vault-5f0c2a917be3";

/** Who calls, by user id. The owner and the viewer are untouchable, so that no input takes their rights away. */
export const callers = {
  owner: `${untouchable}-owner`,
  viewer: `${untouchable}-viewer`,
  manager: "ann",
  few: "cid",
  plain: "bob",
} as const;
export type CallerName = keyof typeof callers;

/** Those that may change nothing. */
export const readers: readonly CallerName[] = ["viewer", "few", "plain"];

/** Names that mean something to LIKE, SQL, JSON or the folding of case. */
const odd = ["100% of_it", "a_b", "a\\b", "O'Neil; --", 'say "x"', "ÄÖÜ Σίσυφος", "äöü σίσυφος", "😀 ok"]
  // Those of LIKE, alone.
  .concat(["%", "_", "\\"]);

/** The world every part of a run begins with. */
export const lines: readonly object[] = [
  ...smallWorld,
  { administrator: { userId: "ann", organizationId: "acme", roles: ["ORG_OWNER"] } },
  { administrator: { userId: "cid", projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER_VIEWER"] } },
  ...odd.flatMap((name, index) => [
    { user: { ...person(`odd${index}`, "globex", name), preferredLoginName: name } },
    { project: { id: `odd-project${index}`, organizationId: "globex", name } },
    role(`odd-project${index}`, name, name, name),
    assigned(`o${index}`, `odd${index}`, `odd-project${index}`, "globex", name, `2023-02-0${(index % 9) + 1}`),
  ]),
  { organization: { id: untouchable, name: untouchable } },
  user(callers.owner, untouchable),
  user(callers.viewer, untouchable),
  { administrator: { userId: callers.owner, instance: true, roles: ["IAM_OWNER"] } },
  { administrator: { userId: callers.viewer, instance: true, roles: ["IAM_OWNER_VIEWER"] } },
  { project: { id: `${untouchable}-project`, organizationId: untouchable, name: untouchable } },
  role(`${untouchable}-project`, `${untouchable}-role`, "Role", "group"),
  assigned(
    `${untouchable}-a`,
    callers.owner,
    `${untouchable}-project`,
    untouchable,
    `${untouchable}-role`,
    "2022-01-01",
  ),
];

function assigned(id: string, userId: string, projectId: string, organizationId: string, key: string, day: string) {
  return authorization(id, userId, projectId, organizationId, [key], `${day}T00:00:00Z`);
}

/** What inputs may name, by what it is. */
export const named = {
  organizations: idsOf("organization"),
  users: idsOf("user"),
  projects: idsOf("project"),
  grants: idsOf("projectGrant"),
  authorizations: idsOf("authorization"),
  keys: ["seller", "auditor", "owner", "keeper", "ORG_OWNER", "IAM_OWNER", "PROJECT_OWNER", ...odd],
  names: ["Acme", "Shop", "shop", "ann@acme.example", "ann of acme", "BOB OF GLOBEX", ...odd],
} as const;

function idsOf(kind: string): string[] {
  const ids = lines.flatMap((line) => (kind in line ? [(line as Record<string, { id: string }>)[kind]?.id ?? ""] : []));
  return ids.filter((id) => !id.includes(untouchable));
}

/** Tokens are the same in every run, so that inputs are. */
export function tokenOf(caller: CallerName): string {
  return `authz_${createHash("sha256").update(`fuzz ${caller}`).digest("base64url")}`;
}

/** Puts everything back as it was in the beginning. */
export async function resetWorld(client: pg.Client, connection: pg.ClientConfig): Promise<void> {
  await client.query(clearEverything);
  await postgresImport(connection).import(newActor(undefined, ""), placed(lines), () => {});
  for (const name of Object.keys(callers) as CallerName[]) {
    const values = [randomBytes(8).toString("hex"), callers[name], hashToken(tokenOf(name))];
    await client.query("insert into tokens (id, user_id, hash) values ($1, $2, $3)", values);
  }
}

const tables = [
  ...directory,
  "events",
  // Every caller may create tokens of its own, and their use is stored.
  "(select id, user_id, hash, expiration_date from tokens where maker_id is null)",
];

/** A text that changes whenever a row of the world does. */
export function everyRow(client: pg.Client): Promise<string> {
  return fingerprint(client, "");
}

/** A text that changes whenever an untouchable row does. */
export function untouchableRows(client: pg.Client): Promise<string> {
  return fingerprint(client, `where (to_jsonb(t) - 'actor_id')::text like '%${untouchable}%'`);
}

async function fingerprint(client: pg.Client, where: string): Promise<string> {
  const each = tables.map(
    (table) => `(select md5(string_agg(t::text, '|' order by t::text collate "C")) from ${table} t ${where})`,
  );
  const { rows } = await client.query<{ found: string }>(`select concat_ws(' ', ${each.join(", ")}) as found`);
  return rows[0]?.found ?? "";
}
