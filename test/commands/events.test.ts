import { afterAll, beforeAll, expect, test } from "vitest";
import { apply, removeRole } from "../support/changes.ts";
import { runCommand } from "../support/command.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let root: string;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
  root = await server.database.token("root");
});
afterAll(() => server.stop());

const events = (...args: string[]) => runCommand(["events", ...args], { env: { DATABASE_URL: server.database.url } });

test("events prints the history of one authorization, oldest first, one object a line", async () => {
  const call = async (rpc: string, more: object = {}) =>
    (await server.call(rpc, { id: "a5", ...more }, { token: root })).body;
  const activated = await call("ActivateAuthorization");
  const updated = await call("UpdateAuthorization", { roleKeys: ["auditor", "seller"] });
  await apply(server, root, removeRole("shop", "auditor"));
  const deleted = await call("DeleteAuthorization");

  const { code, stdout, stderr } = await events("--authorization", "a5");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.endsWith("}\n")).toBe(true);
  const lines = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const [, , , cascade] = lines;
  const place = { userId: "bea", projectId: "shop", organizationId: "globex", projectGrantId: "shop-to-globex" };
  const event = (
    type: string,
    time: string,
    actorId: string | null,
    [roleKeysBefore, stateBefore]: [string[], string | null],
    [roleKeys, state]: [string[], string | null],
  ) => ({
    sequence: expect.stringMatching(/^[1-9]\d*$/),
    time,
    type: `user.grant.${type}`,
    actorId,
    authorizationId: "a5",
    ...place,
    roleKeys,
    state,
    roleKeysBefore,
    stateBefore,
    requestId: expect.stringMatching(/^[\da-f-]{36}$/),
    reason: "",
  });
  const nothing: [string[], null] = [[], null];
  const inactive: [string[], string] = [["seller"], "inactive"];
  const active: [string[], string] = [["seller"], "active"];
  const both: [string[], string] = [["auditor", "seller"], "active"];
  expect(lines).toEqual([
    event("added", "2024-01-05T00:00:00Z", null, nothing, inactive),
    event("reactivated", activated.changeDate, "root", inactive, active),
    event("changed", updated.changeDate, "root", active, both),
    event("cascade.changed", cascade.time, "root", both, active),
    event("removed", deleted.deletionDate, "root", active, nothing),
  ]);
  const sequences = lines.map(({ sequence }) => Number(sequence));
  expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
});

test("events prints nothing for an id that never was, and the exact id alone", async () => {
  for (const id of ["never", "A1", "a", "%", "'"]) {
    expect(await events("--authorization", id)).toEqual({
      code: 0,
      stdout: "",
      stderr: `No assignment has ever had the id "${id}".\n`,
    });
  }
});

test("events needs an authorization", async () => {
  const { code, stdout, stderr } = await events();
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("--authorization");
});
