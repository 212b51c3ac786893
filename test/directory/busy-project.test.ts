import { expect, test } from "vitest";
import { apply } from "../support/changes.ts";
import { hold } from "../support/locks.ts";
import { serveSmallWorld } from "../support/server.ts";
import { user } from "../support/world.ts";

const { server, root } = await serveSmallWorld({ poolSize: 10 });

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
