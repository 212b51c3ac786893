import { describe, expect, test } from "vitest";
import { type AdministratorEntry, administrator, assign, listed } from "../support/assign.ts";
import { eventsOf } from "../support/events.ts";
import { changedAt, denied, expectRefusal, notFound } from "../support/refusals.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld();

/** The RPCs that change one authorization, each with a request that has no effect of its own to be refused for. */
const changes = [
  { rpc: "UpdateAuthorization", permission: "user.grant.write", request: { roleKeys: ["owner"] } },
  { rpc: "DeleteAuthorization", permission: "user.grant.delete", request: {} },
];

const old = "2024-01-01T00:00:00Z";

async function expectUntouched(id: string): Promise<void> {
  expect((await listed(server, id, root)).changeDate).toBe(old);
  expect(await eventsOf(server.database, id)).toHaveLength(1);
}

describe.each(changes)("$rpc", ({ rpc, permission, request }) => {
  const call = (id: string, token: string, more: object = {}): Promise<Answer> =>
    server.call(rpc, { id, ...request, ...more }, { token });

  test("answers not_found for an id that never was, also one that cannot be stored", async () => {
    for (const id of ["never", "NEVER", " ", "%", "\u{1f600}".repeat(200)]) {
      expectRefusal(await call(id, root), notFound);
    }
  });

  test("is denied to callers who see it without the permission: its own user and viewers", async () => {
    const { id, userId } = await assign(server.database);
    const viewers: AdministratorEntry[] = [
      { instance: true, roles: ["IAM_OWNER_VIEWER"] },
      { organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] },
      { projectId: "shop", roles: ["PROJECT_OWNER_VIEWER", "PROJECT_OWNER_VIEWER_GLOBAL"] },
    ];
    const tokens = [await server.database.token(userId)];
    for (const entry of viewers) tokens.push(await administrator(server.database, entry));
    for (const token of tokens) {
      expect(await listed(server, id, token)).toBeDefined();
      expectRefusal(await call(id, token), denied(permission));
    }
    await expectUntouched(id);
  });

  test("is refused when the date the caller last saw is not the change date", async () => {
    const { id } = await assign(server.database);
    const dates = [
      "2023-12-31T23:59:59.999999Z",
      "2024-01-01T00:00:00.000001Z",
      // Finer than a microsecond, and never rounded to what is stored.
      "2024-01-01T00:00:00.000000001Z",
      "2023-12-31T23:59:59.999999999Z",
      "2024-01-01T00:00:00+01:00",
      "1970-01-01T00:00:00Z",
      "1969-12-31T23:59:59.999999999Z",
      "0001-01-01T00:00:00Z",
      "9999-12-31T23:59:59.999999999Z",
    ];
    for (const ifUnchangedSince of dates) {
      expectRefusal(await call(id, root, { ifUnchangedSince }), changedAt(old));
    }
    await expectUntouched(id);
  });

  test.each([
    ["2024-01-01T00:00:00Z", "2024-01-01T01:00:00.000000000+01:00"],
    ["2024-01-01T00:00:00.123456Z", "2024-01-01T00:00:00.123456Z"],
    ["1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"],
    ["0001-01-01T00:00:00.000001Z", "0001-01-01T00:00:00.000001Z"],
  ])("goes through when the date is the change date (%s)", async (changeDate, ifUnchangedSince) => {
    const { id } = await assign(server.database, { changeDate, creationDate: changeDate });
    expectRefusal(await call(id, root, { ifUnchangedSince: old.replace("2024", "2025") }), changedAt(changeDate));
    expect((await call(id, root, { ifUnchangedSince })).status).toBe(200);
    expect(await eventsOf(server.database, id)).toHaveLength(2);
  });
});
