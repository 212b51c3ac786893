import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeAuthorizations } from "../support/append-events.ts";
import { assign, listed } from "../support/assign.ts";
import { type HeldTransaction, hold } from "../support/locks.ts";
import { expectRefusal, notFound } from "../support/refusals.ts";
import { type Answer, startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let root: string;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
  root = await server.database.token("root");
});
afterAll(() => server.stop());

function call(rpc: string, request: object, token = root): Promise<Answer> {
  return server.call(rpc, request, { token });
}

/** What whoever takes something away from a project does first: it holds the project alone. */
function holdProject(): Promise<HeldTransaction> {
  return hold(server.database, "select from projects where id = 'shop' for update");
}

/** A grant of Shop with a key, on which there is nothing yet. */
async function grantTo(organizationId: string): Promise<string> {
  const id = `shop-to-${organizationId}`;
  await server.database.load(
    { organization: { id: organizationId, name: organizationId } },
    { projectGrant: { id, projectId: "shop", organizationId, roleKeys: ["seller"] } },
  );
  return id;
}

async function removeGrant(held: HeldTransaction, id: string): Promise<void> {
  await held.query(
    removeAuthorizations("project_grant_id = $1", "user.grant.cascade.removed", "'2026-01-01T00:00:00Z'"),
    [id],
  );
  await held.query("delete from project_grants where id = $1", [id]);
}

describe("While another transaction removes a project grant", () => {
  test("an update waits and then finds nothing", async () => {
    const grant = await grantTo("first");
    const { id } = await assign(server.database, { organizationId: "first" });
    const held = await holdProject();
    const updating = call("UpdateAuthorization", { id, roleKeys: [] });
    await held.untilWaiting(1);
    await removeGrant(held, grant);
    await held.commit();
    expectRefusal(await updating, notFound);
  });

  test("a delete waits and then answers the date of that removal", async () => {
    const grant = await grantTo("second");
    const { id } = await assign(server.database, { organizationId: "second" });
    const held = await holdProject();
    const deleting = call("DeleteAuthorization", { id });
    await held.untilWaiting(1);
    await removeGrant(held, grant);
    await held.commit();
    expect((await deleting).body).toEqual({ deletionDate: "2026-01-01T00:00:00Z" });
  });

  test("a create waits and is then refused as if the grant had never been", async () => {
    for (const roleKeys of [[], ["seller"]]) {
      const grant = await grantTo("third");
      const held = await holdProject();
      const request = { userId: "cid", projectId: "shop", organizationId: "third", roleKeys };
      const creating = call("CreateAuthorization", request);
      await held.untilWaiting(1);
      await removeGrant(held, grant);
      await held.commit();
      expectRefusal(await creating, { status: 400, code: "failed_precondition", reason: "PROJECT_NOT_GRANTED" });
    }
  });

  test("changes are made as if nothing had been when it is undone", async () => {
    const grant = await grantTo("fourth");
    const [one, other] = [
      await assign(server.database, { organizationId: "fourth" }),
      await assign(server.database, { organizationId: "fourth" }),
    ];
    const held = await holdProject();
    const answers = [
      call("UpdateAuthorization", { id: one.id }),
      call("DeleteAuthorization", { id: other.id }),
      call("CreateAuthorization", { userId: "cid", projectId: "shop", organizationId: "fourth", roleKeys: ["seller"] }),
    ];
    await held.untilWaiting(3);
    await removeGrant(held, grant);
    await held.rollback();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await listed(server, one.id, root)).roles).toEqual([]);
  });
});
