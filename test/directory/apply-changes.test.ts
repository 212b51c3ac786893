import { create, fromBinary, fromJson, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  ApplyChangesRequestSchema,
  ApplyChangesResponseSchema,
  ChangeOutcome_Effect,
} from "../../gen/service/directory/v1/directory_service_pb.ts";
import { post } from "../support/call-headers.ts";
import { apply, applyChanges, entry, organization, remove, removeRole } from "../support/changes.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { hold } from "../support/locks.ts";
import { serveSmallWorld } from "../support/server.ts";
import { user } from "../support/world.ts";

const { server, root } = await serveSmallWorld();

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

  test("who removes itself is answered, and unknown afterwards", async () => {
    await apply(server, root, user("second", "acme"), entry("second", { instance: true }, "IAM_OWNER"));
    const token = await server.database.token("second");
    await apply(server, token, remove({ userId: "second" }));
    expect((await applyChanges(server, token, [])).status).toBe(401);
  });
});
