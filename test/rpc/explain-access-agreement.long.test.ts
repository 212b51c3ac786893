import { afterAll, beforeAll, expect, test } from "vitest";
import { callersOf, mixedWorld } from "../support/mixed-world.ts";
import { errorInfo, startTestServer, type TestServer } from "../support/server.ts";

const world = mixedWorld();
const callers = callersOf(world);
let server: TestServer;
let reader: string;

beforeAll(async () => {
  server = await startTestServer();
  await server.database.load(...world);
  reader = await server.database.token("IAM_OWNER_VIEWER");
});
afterAll(() => server.stop());

const changes = ["UpdateAuthorization", "ActivateAuthorization", "DeactivateAuthorization"];

/** What refuses a change that would be refused all the same: without the permission, or for its date. */
const stale = { ifUnchangedSince: "2000-01-01T00:00:00Z" };

async function reasonOf(rpc: string, id: string, token: string): Promise<string | undefined> {
  return errorInfo(await server.call(rpc, { id, ...stale }, { token }))?.reason;
}

function explain(authorizationId: string, userId: string, token: string) {
  const request = { authorizationId, userId };
  return server.callService("authorization.v2.CallerService/ExplainAccess", request, { token });
}

/** One authorization of each place and, where there is one, of the caller's own; every second one takes half the time. */
async function someFor(userId: string): Promise<string[]> {
  const rows = await server.database.query<{ id: string }>(
    `select distinct on (project_id, organization_id, user_id = $1) id from authorizations
     order by project_id, organization_id, user_id = $1, id`,
    [userId],
  );
  const turn = callers.indexOf(userId) % 2;
  return rows.map(({ id }) => id).filter((_, index) => index % 2 === turn);
}

test.each(callers)(
  "ExplainAccess says of %s what lists and changes then answer it, to it and to a reader",
  async (userId) => {
    const token = await server.database.token(userId);
    const { body } = await server.call("ListAuthorizations", { pagination: { limit: 1_000 } }, { token });
    const visible = new Set(body.authorizations.map(({ id }: any) => id));
    const ids = await someFor(userId);
    expect(ids.length).toBeGreaterThan(6);
    for (const [index, id] of ids.entries()) {
      const change = changes[index % changes.length] ?? "";
      const [told, own, changing, removing] = await Promise.all([
        explain(id, userId, reader),
        explain(id, "", token),
        reasonOf(change, id, token),
        reasonOf("DeleteAuthorization", id, token),
      ]);
      const isVisible = visible.has(id);
      const [read, write, remove] = told.body.permissions.map(({ held }: any) => held);
      expect([id, told.body.sees, told.body.own || read]).toEqual([id, isVisible, isVisible]);
      const otherwise = isVisible ? "PERMISSION_DENIED" : "AUTHORIZATION_NOT_FOUND";
      expect([id, change, changing]).toEqual([id, change, write ? "AUTHORIZATION_CHANGED" : otherwise]);
      expect([id, removing]).toEqual([id, remove ? "AUTHORIZATION_CHANGED" : otherwise]);
      if (isVisible) expect(own.body).toEqual(told.body);
      else expect(errorInfo(own)?.reason).toBe("AUTHORIZATION_NOT_FOUND");
    }
  },
);
