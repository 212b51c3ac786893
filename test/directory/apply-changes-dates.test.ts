import { create, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { ApplyChangesRequestSchema } from "../../gen/service/directory/v1/directory_service_pb.ts";
import { apply, applyChanges } from "../support/changes.ts";
import { expectError } from "../support/connect-errors.ts";
import { eventsOf } from "../support/events.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { expectInvariants } from "../support/invariants.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";
import { user } from "../support/world.ts";

const { server, root } = await serveSmallWorld();

const dated = (dates: object, id = "x") => ({
  authorization: { id, userId: "bea", projectId: "depot", organizationId: "acme", ...dates },
});

/** The fields that an answer finds something wrong with, by its message, once its details have said as much. */
function refusedFields(answer: Answer): string[] {
  expectError(answer, 400, "invalid_argument");
  const fields = [...answer.body.message.matchAll(/(?:^|; )([^:;]+): /g)].map(([, field]) => field as string);
  expect(answer.body.details.map(({ type }: { type: string }) => type)).toEqual(["buf.validate.Violations"]);
  expect(answer.body.details[0].debug.violations).toHaveLength(fields.length);
  return fields;
}

describe("The dates of an authorization that is put in place", () => {
  test.each([
    [{ creationDate: "2024-01-01T00:00:00.0000001Z" }, ["creationDate"]],
    [{ changeDate: "2024-01-01T00:00:00.123456789Z" }, ["changeDate"]],
    [{ changeDate: "1969-12-31T23:59:59.999999999Z" }, ["changeDate"]],
    [
      { creationDate: "2024-01-01T00:00:00.0000001Z", changeDate: "2024-01-01T00:00:00.0000001Z" },
      ["creationDate", "changeDate"],
    ],
  ])("are refused when they are finer than a microsecond: %j", async (dates, fields) => {
    const answer = await applyChanges(server, root, [dated(dates)]);
    expect(refusedFields(answer)).toEqual(fields.map((field) => `changes[0].authorization.${field}`));
    expect(answer.body.message).toContain("must not be more precise than a microsecond");
  });

  test("leave the last day there is to the changes that come after", async () => {
    for (const lastDay of ["9999-12-31T00:00:00Z", "9999-12-31T23:59:59.999999Z"]) {
      for (const field of ["changeDate", "creationDate"]) {
        const answer = await applyChanges(server, root, [dated({ [field]: lastDay })]);
        expect(refusedFields(answer)).toEqual([`changes[0].authorization.${field}`]);
        expect(answer.body.message).toContain("must be before 9999-12-31");
      }
    }
    await apply(server, root, dated({ changeDate: "9999-12-30T23:59:59.999999Z" }));
    await apply(server, root, dated({ changeDate: "2024-01-01T00:00:00Z", roleKeys: ["keeper"] }));
    await apply(server, root, { remove: { authorizationId: "x" } });
    await apply(server, root, dated({ creationDate: "9999-12-30T23:59:59.999999Z" }, "y"));
    await apply(server, root, { remove: { authorizationId: "y" } });
  });

  test("may be on the last day in an import, as in an export after such changes, and later ones end with it", async () => {
    const last = "9999-12-31T23:59:59.999999Z";
    const { database } = server;
    await database.import(
      dated({ creationDate: "9999-12-31T23:59:59.999998Z", roleKeys: ["keeper"] }),
      user("lasting", "acme"),
      { projectRole: { projectId: "depot", key: "last" } },
      {
        authorization: { ...dated({}).authorization, id: "l", userId: "lasting", changeDate: last, roleKeys: ["last"] },
      },
    );
    expect((await server.call("DeactivateAuthorization", { id: "x" }, { token: root })).body).toEqual({
      changeDate: last,
    });
    expect((await server.call("ActivateAuthorization", { id: "x" }, { token: root })).body).toEqual({
      changeDate: last,
    });
    await apply(server, root, dated({ roleKeys: [] }));
    await apply(server, root, { remove: { projectRole: { projectId: "depot", key: "last" } } });
    await apply(server, root, { remove: { userId: "lasting" } });
    expect((await server.call("DeleteAuthorization", { id: "x" }, { token: root })).body).toEqual({
      deletionDate: last,
    });
    const expectAtLast = async (id: string, ...types: string[]) => {
      const events = (await eventsOf(database, id)).slice(-types.length);
      expect(events).toMatchObject(types.map((type) => ({ type: `user.grant.${type}`, time: last })));
    };
    await expectAtLast("x", "deactivated", "reactivated", "changed", "removed");
    await expectAtLast("l", "cascade.changed", "cascade.removed");
    await expectInvariants(database);
  });

  test.each([
    ["2024-01-02T00:00:00Z", "2024-01-01T00:00:00Z"],
    ["1970-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z"],
    ["2024-01-01T00:00:00.000002Z", "2024-01-01T00:00:00.000001Z"],
  ])(
    "are refused when the change date is before the creation date: %s, changed %s",
    async (creationDate, changeDate) => {
      for (const id of ["x", "a1"]) {
        const answer = await applyChanges(server, root, [dated({ creationDate, changeDate }, id)]);
        expect(refusedFields(answer)).toEqual(["changes[0].authorization.changeDate"]);
        expect(answer.body.message).toBe("changes[0].authorization.changeDate: must not be before creationDate");
      }
    },
  );

  test.each([-62_135_596_801n, 253_402_300_800n])("are in the years 1 to 9999, also in binary: %s", async (seconds) => {
    const { authorization } = dated({});
    const value = { ...authorization, creationDate: { seconds, nanos: 0 } };
    const request = create(ApplyChangesRequestSchema, { changes: [{ change: { case: "authorization", value } }] });
    const headers = { "content-type": "application/proto" };
    const body = toBinary(ApplyChangesRequestSchema, request);
    const answer = await server.callDirectory("ApplyChanges", body, { token: root, headers });
    expect(refusedFields(answer)).toEqual(["changes[0].authorization.creationDate"]);
  });

  test("are reported at once with every other violation of the request", async () => {
    const before = await fingerprint(server.database);
    const fine = "2024-01-01T00:00:00.0000001Z";
    const answer = await applyChanges(server, root, [
      dated({ creationDate: fine }),
      { organization: { id: "", name: "x" } },
      dated({ changeDate: "9999-12-31T00:00:00.000000001Z", userId: "" }, "y"),
    ]);
    expect(refusedFields(answer).toSorted()).toEqual([
      "changes[0].authorization.creationDate",
      "changes[1].organization.id",
      "changes[2].authorization.changeDate",
      "changes[2].authorization.changeDate",
      "changes[2].authorization.userId",
    ]);
    expect(await fingerprint(server.database)).toEqual(before);
  });
});
