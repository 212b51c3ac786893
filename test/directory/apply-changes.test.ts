import { create, fromBinary, fromJson, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  ApplyChangesRequestSchema,
  ApplyChangesResponseSchema,
  ChangeOutcome_Effect,
} from "../../gen/service/directory/v1/directory_service_pb.ts";
import { post } from "../support/call-headers.ts";
import {
  apply,
  applyChanges,
  entry,
  organization,
  project,
  projectGrant,
  remove,
  removeRole,
} from "../support/changes.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { hold } from "../support/locks.ts";
import { serveTests } from "../support/server.ts";
import { role, user } from "../support/world.ts";

const server = await serveTests({ smallWorld: true });
const root = await server.database.token("root");

async function rowsOf(table: string, condition: string): Promise<unknown[]> {
  const rows = await server.database.query<{ row: object }>(
    `select to_jsonb(t) - 'words' as row from ${table} t where ${condition}`,
  );
  return rows.map(({ row }) => row);
}

const everything = () => fingerprint(server.database);

describe("ApplyChanges", () => {
  test.each(["{}", '{"changes":[]}', '{"changes":null}'])("applies nothing for %s", async (request) => {
    const { status, body } = await server.callDirectory("ApplyChanges", request, { token: root });
    expect({ status, body }).toEqual({
      status: 200,
      body: { applied: 0, outcomes: [], authorizations: [], tokensMayStay: false, version: expect.stringMatching(/./) },
    });
  });

  test("speaks binary too", async () => {
    const message = fromJson(ApplyChangesRequestSchema, {
      changes: [organization("binary", "Binary"), removeRole("shop", "nothing")] as never,
    });
    const bytes = toBinary(ApplyChangesRequestSchema, message);
    const binary = { contentType: "application/proto" };
    const response = await post(server.url, root, "directory.v1.DirectoryService/ApplyChanges", bytes, binary);
    expect(response.status).toBe(200);
    const answer = fromBinary(ApplyChangesResponseSchema, new Uint8Array(await response.arrayBuffer()));
    expect(answer).toEqual(
      create(ApplyChangesResponseSchema, {
        applied: 2,
        outcomes: [
          {
            effect: ChangeOutcome_Effect.CREATED,
            after: { change: { case: "organization", value: { id: "binary", name: "Binary" } } },
          },
          { effect: ChangeOutcome_Effect.NONE },
        ],
        version: answer.version,
      }),
    );
    expect(await rowsOf("organizations", "id = 'binary'")).toEqual([{ id: "binary", name: "Binary" }]);
  });

  test("keeps every text as it was sent", async () => {
    const odd = ['\\N\t\r\n"{,}', "NULL", "\u{1f600}'", "\\.", " ", "{}"];
    const before = await everything();
    await apply(
      server,
      root,
      ...odd.map((id) => organization(id, id)),
      project("odd", "acme"),
      ...odd.map((key) => role("odd", key, key, key)),
      projectGrant("odd", "odd", odd[0] ?? "", ...odd),
    );
    expect((await rowsOf("organizations", "id = name and length(id) < 8")).length).toBeGreaterThanOrEqual(5);
    const keys = (await rowsOf("project_grant_roles", "project_grant_id = 'odd'")) as { role_key: string }[];
    expect(keys.map(({ role_key }) => role_key).toSorted()).toEqual(odd.toSorted());
    await apply(server, root, remove({ projectId: "odd" }), ...odd.map((id) => remove({ organizationId: id })));
    expect(await everything()).toEqual(before);
  });

  test("a request is applied all or nothing: a refused change leaves everything as it was", async () => {
    const before = await everything();
    const { status } = await applyChanges(server, root, [
      remove({ organizationId: "globex" }),
      removeRole("shop", "seller"),
      remove({ administrator: { userId: "root", instance: true } }),
      organization("new"),
      user("ann", "new"),
      user("x", "nowhere"),
    ]);
    expect(status).toBe(400);
    expect(await everything()).toEqual(before);
    // The connection that was used holds nothing of it either.
    await apply(server, root, organization("binary", "Binary"));
  });

  test("is rolled back whole when its time is over, and nothing is left waiting", async () => {
    const before = await everything();
    const held = await hold(server.database, "lock table events in share row exclusive mode");
    const changes = [removeRole("shop", "seller"), remove({ userId: "bob" }), organization("late")];
    const headers = { "connect-timeout-ms": "400" };
    const answer = await server.callDirectory("ApplyChanges", { changes }, { token: root, headers });
    expect([answer.status, answer.body.code]).toEqual([504, "deadline_exceeded"]);
    await held.untilWaiting(0);
    await held.rollback();
    expect(await everything()).toEqual(before);
    await apply(server, root, remove({ organizationId: "late" }));
  });

  test("what is refused comes before a caller's time is up behind another change", async () => {
    await hold(server.database, "select pg_advisory_xact_lock(7206381402113)");
    const { status } = await applyChanges(server, await server.database.token("ann"), [organization("x")]);
    expect(status).toBe(403);
  });

  test("who removes itself is answered, and unknown afterwards", async () => {
    await apply(server, root, user("second", "acme"), entry("second", { instance: true }, "IAM_OWNER"));
    const token = await server.database.token("second");
    await apply(server, token, remove({ userId: "second" }));
    expect((await applyChanges(server, token, [])).status).toBe(401);
  });
});
