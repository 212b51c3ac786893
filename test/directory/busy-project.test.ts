import { expect, test } from "vitest";
import { assign } from "../support/assign.ts";
import { apply, removeRole } from "../support/changes.ts";
import { hold } from "../support/locks.ts";
import { serveTests } from "../support/server.ts";
import { user } from "../support/world.ts";

const server = await serveTests({ smallWorld: true, poolSize: 10 });
const root = await server.database.token("root");

test("who takes something away from a project is not passed by those who come later, however busy it is", async () => {
  const [first, second] = [await assign(server.database), await assign(server.database)];
  const update = ({ id }: { id: string }) =>
    server.call("UpdateAuthorization", { id, roleKeys: ["owner", "seller"] }, { token: root });
  // The update has entered the project then.
  const held = await hold(server.database, "select from authorizations where id = $1 for update", [first.id]);
  const early = update(first);
  await held.untilWaiting(1);
  const removing = apply(server, root, removeRole("shop", "owner"));
  await held.untilWaiting(2);
  const late = update(second);
  await held.untilWaiting(3);
  await held.commit();
  expect((await early).status).toBe(200);
  await removing;
  expect((await late).body.details[0].debug.reason).toBe("ROLE_NOT_FOUND");
});

test("upserting an unchanged user keeps no one from assigning roles to it", async () => {
  const held = await hold(server.database, "select from projects where id = 'depot' for update");
  // It has put the user in place and waits for the project.
  const applying = apply(server, root, user("bea", "globex", "A new name"), {
    project: { id: "depot", organizationId: "acme", name: "Depot" },
  });
  await held.untilWaiting(1);
  const created = await server.call(
    "CreateAuthorization",
    { userId: "bea", projectId: "shop", organizationId: "initech", roleKeys: ["seller"] },
    { token: root, headers: { "connect-timeout-ms": "3000" } },
  );
  expect(created.status).toBe(200);
  await held.commit();
  await applying;
});
