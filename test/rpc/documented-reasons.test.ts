import { readFile } from "node:fs/promises";
import { codeFromString } from "@connectrpc/connect/protocol-connect";
import { expect, test } from "vitest";
import { codeOf } from "../../src/authorization/refusal.ts";
import { entry, organization, project, projectGrant, remove } from "../support/changes.ts";
import { errorInfo, serveTests } from "../support/server.ts";
import { versionOfCopy } from "../support/versions.ts";
import { authorization, user } from "../support/world.ts";

const tokens: Record<string, string> = {};

const server = await serveTests({ smallWorld: true });
for (const id of ["root", "ann", "bea"]) tokens[id] = await server.database.token(id);
for (let more = 1; more < 100; more += 1) await server.database.token("bea");
await server.database.query(`
  insert into projects select 'p' || n, 'initech', 'P' from generate_series(1, 1000) n;
  insert into administrators (user_id, project_id, roles) select 'bea', 'p' || n, '{PROJECT_OWNER}' from generate_series(1, 1000) n;
  insert into project_roles select 'depot', 'large-' || n || repeat('€', 190), '', '' from generate_series(1, 1000) n;
  insert into organizations select 'large-' || n, 'L' from generate_series(1, 16) n;
  insert into project_grants (id, project_id, organization_id, owner_id)
  select 'large-' || n, 'depot', 'large-' || n, 'acme' from generate_series(1, 16) n;
  insert into project_grant_roles (project_grant_id, project_id, role_key)
  select g.id, 'depot', r.key from project_grants g cross join project_roles r
  where g.id like 'large-%' and r.project_id = 'depot' and r.key like 'large-%';
  insert into authorizations
    (id, user_id, user_organization_id, project_id, organization_id, project_grant_id, creation_date, change_date)
  select 'of-' || id, 'bea', 'globex', 'depot', organization_id, id, now(), now() from project_grants where id like 'large-%';
  insert into authorization_roles (authorization_id, project_id, project_grant_id, role_key)
  select 'of-' || project_grant_id, 'depot', project_grant_id, role_key from project_grant_roles
  where project_grant_id like 'large-%' and role_key like 'large-1%';
  update authorizations set expiration_date = '2024-03-01Z' where id = 'a5'`);

const tooMany = { pagination: { limit: 1_001 } };
const noToken = { pagination: { pageToken: "none" } };
const stale = { ifUnchangedSince: "2000-01-01T00:00:00Z" };
const place = { userId: "bea", projectId: "shop", organizationId: "acme" };
const when = "2024-01-01T00:00:00Z";
/** In place of a version that only the database can make. */
const ofCopy = "of a copy";

/** Ann sees a1, which is hers, and may change nothing. */
const ofOne = [
  ["root", { id: "nothing" }],
  ["ann", { id: "a1" }],
  ["root", { id: "a1", ...stale }],
] as const;
const ofCreates = [
  ["ann", place],
  ["root", { ...place, userId: "nothing" }],
  ["root", { ...place, organizationId: "nothing" }],
  ["root", { ...place, projectId: "nothing" }],
  ["root", { ...place, roleKeys: ["keeper"] }],
  ["root", { ...place, userId: "ann" }],
  ["root", { ...place, expirationDate: when }],
] as const;
const ofUpdates = [
  ...ofOne,
  ["root", { id: "a1", roleKeys: ["keeper"] }],
  ["root", { id: "a1", expirationDate: when }],
] as const;
const ofActivations = [...ofOne, ["root", { id: "a5" }]] as const;
const ofChanges = [
  [user("x", "nowhere")],
  [organization("x"), organization("x")],
  [entry("ann", { instance: true }, "ORG_OWNER")],
  [projectGrant("shop-to-globex", "shop", "globex", "keeper")],
  [projectGrant("x", "shop", "acme")],
  [projectGrant("x", "shop", "globex")],
  [project("shop", "globex")],
  [authorization("x", "ann", "shop", "acme", [], when)],
  [{ authorization: { id: "x", userId: "bea", projectId: "shop", organizationId: "acme", expired: true } }],
  [entry("root", { instance: true })],
  [entry("bea", { projectId: "depot" }, "PROJECT_OWNER")],
  Array.from({ length: 16 }, (_, index) => remove({ projectGrantId: `large-${index + 1}` })),
];

/** Whose access to what cannot be explained: to nothing, to what is only one's own, and of nobody. */
const ofAccess = [
  ["root", { authorizationId: "nothing" }],
  ["ann", { authorizationId: "a1", userId: "root" }],
  ["root", { authorizationId: "a1", userId: "nothing" }],
] as const;
const manyKeys = { userId: "bea", projectId: "depot", roleKeys: Array.from({ length: 100 }, (_, n) => `k${n}`) };
const largeKeys = manyKeys.roleKeys.map((_, n) => `large-1${n}${"€".repeat(190)}`);
/** What every list is refused for. */
const noPage = [
  ["root", tooMany],
  ["root", noToken],
] as const;

/** An atomic batch with the request as its only item. */
function inBatch([as, request]: readonly [caller: string, request: object]) {
  return [as, { items: [request], atomic: true }] as const;
}

const requests: Record<string, readonly (readonly [caller: string, request: object])[]> = {
  ListAuthorizations: noPage,
  CreateAuthorization: ofCreates,
  UpdateAuthorization: ofUpdates,
  DeleteAuthorization: ofOne,
  ActivateAuthorization: ofActivations,
  DeactivateAuthorization: ofOne,
  BatchCreateAuthorizations: ofCreates.map(inBatch),
  BatchUpdateAuthorizations: ofUpdates.map(inBatch),
  BatchDeleteAuthorizations: ofOne.map(inBatch),
  BatchSetState: ofActivations.map(inBatch).map(([as, batch]) => [as, { ...batch, state: "STATE_ACTIVE" }]),
  GetCaller: [["ann", {}]],
  ExplainAccess: ofAccess,
  CheckRoles: [
    ["root", { items: Array.from({ length: 51 }, () => manyKeys) }],
    ["root", { items: Array.from({ length: 15 }, () => ({ ...manyKeys, roleKeys: largeKeys })) }],
  ],
  GetOverview: [["root", {}]],
  ApplyChanges: [
    ["ann", {}],
    ["root", { ifVersion: "none" }],
    ["root", { ifVersion: ofCopy, changes: [{ organization: { id: "acme", name: "Acme" } }] }],
    ...ofChanges.map((changes) => ["root", { changes }] as const),
  ],
  OffboardUser: [
    ["ann", { userId: "bea", mode: "MODE_SUSPEND" }],
    ["root", { userId: "nothing", mode: "MODE_SUSPEND" }],
    ["root", { userId: "root", mode: "MODE_REMOVE" }],
  ],
  ListAdministrators: noPage,
  ListOrganizations: noPage,
  ListProjects: noPage,
  ListUsers: noPage,
  ListDirectoryEvents: noPage,
  CreateToken: [
    ["ann", { userId: "root" }],
    ["root", { userId: "nothing" }],
    ["ann", { lifetime: "99999999s" }],
    ["bea", {}],
  ],
  ListTokens: [["ann", { userId: "root" }], ["root", { userId: "nothing" }], ...noPage],
  RevokeToken: [["ann", { id: "nothing" }]],
};

test("each RPC is listed here", async () => {
  expect(Object.keys(requests)).toEqual([...(await comments()).keys()]);
});

test.each(Object.keys(requests))("the proto names every reason %s is refused for, and no other", async (rpc) => {
  const { service, comment } = (await comments()).get(rpc) ?? expect.unreachable();
  const reasons = [];
  for (const [caller, request] of requests[rpc] ?? []) {
    const options = { token: tokens[caller] ?? "" };
    const isOfCopy = "ifVersion" in request && request.ifVersion === ofCopy;
    const sent = isOfCopy ? { ...request, ifVersion: await versionOfCopy(server.database) } : request;
    const answer = await server.callService(`${service}/${rpc}`, sent, options);
    reasons.push(answer.status === 200 ? "" : errorInfo(answer)?.reason);
  }
  // What is refused for no reason but those of every RPC names none.
  const [, named = ""] = /Errors(?:, only with `atomic`)?: ([A-Z_, ]+)\./.exec(comment) ?? [];
  expect(reasons.toSorted()).toEqual(named.split(", ").toSorted());
});

test("docs/reference/errors.md gives each reason the code that it has", async () => {
  const rows = (await readFile(new URL("../../docs/reference/errors.md", import.meta.url), "utf8")).split("\n");
  for (const [reason, code] of Object.entries(codeOf)) {
    const named = rows
      .filter((row) => row.startsWith(`| \`${reason}\` |`))
      .map((row) => / `([a-z_]+)`, (?:\d{3}|none)/.exec(row)?.[1]);
    expect([reason, ...new Set(named)]).toEqual([reason, code]);
    expect(codeFromString(code)).toBeDefined();
  }
});

/** The service of every RPC, and the comment above it on one line. */
async function comments(): Promise<Map<string, { service: string; comment: string }>> {
  const found = new Map<string, { service: string; comment: string }>();
  for (const [file, service] of Object.entries(services)) {
    const proto = await readFile(new URL(`../../proto/service/${file}.proto`, import.meta.url), "utf8");
    for (const [, comment = "", rpc = ""] of proto.matchAll(/((?: {2}\/\/.*\n)+) {2}rpc (\w+)\(/g)) {
      found.set(rpc, { service, comment: comment.replaceAll(/\s*\/\/\s*/g, " ") });
    }
  }
  return found;
}

const services = {
  "authorization/v2/authorization_service": "authorization.v2.AuthorizationService",
  "authorization/v2/caller_service": "authorization.v2.CallerService",
  "authorization/v2/check_service": "authorization.v2.CheckService",
  "authorization/v2/overview_service": "authorization.v2.OverviewService",
  "directory/v1/directory_service": "directory.v1.DirectoryService",
  "directory/v1/directory_history_service": "directory.v1.DirectoryHistoryService",
  "identity/v1/token_service": "identity.v1.TokenService",
};
