import { expect, test } from "vitest";
import { apply, remove, removeRole } from "../support/changes.ts";
import { freshServerForEach } from "../support/fresh-worlds.ts";
import { hold } from "../support/locks.ts";
import type { TestServer } from "../support/server.ts";

// docs/reference/directory.md, "Outcomes".

let server: TestServer;
let root: string;
freshServerForEach({}, (...given) => {
  [server, root] = given;
});

test("Assignments that follow are counted by project and organization, sorted, without those that are named", async () => {
  const { authorizations } = await apply(
    server,
    root,
    removeRole("shop", "seller"),
    remove({ projectId: "depot" }),
    remove({ authorizationId: "a3" }),
    { authorization: { id: "a1", userId: "ann", projectId: "shop", organizationId: "acme", roleKeys: [] } },
  );
  expect(authorizations).toEqual([
    { projectId: "shop", organizationId: "globex", changed: 2, removed: 0 },
    { projectId: "shop", organizationId: "initech", changed: 1, removed: 0 },
  ]);
});

test("Assignments that follow are counted as they are behind the locks: one that is created meanwhile counts", async () => {
  const held = await hold(
    server.database,
    `insert into authorizations (id, user_id, user_organization_id, project_id, organization_id, creation_date, change_date)
       values ('late', 'ann', 'acme', 'depot', 'acme', now(), now())`,
  );
  await held.query(
    `insert into events (authorization_id, type, time, request_id, user_id, project_id, organization_id, project_grant_id,
         role_keys, state, creation_date)
       select id, 'user.grant.added', creation_date, gen_random_uuid(), user_id, project_id, organization_id, '', '{}', state,
         creation_date
       from authorizations where id = 'late'`,
  );
  const [removing] = await held.holdUp([() => apply(server, root, remove({ projectId: "depot" }))]);
  expect(removing.authorizations).toEqual([{ projectId: "depot", organizationId: "acme", changed: 0, removed: 2 }]);
});
