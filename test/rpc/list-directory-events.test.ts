import { describe, expect, test } from "vitest";
import { expectError } from "../support/connect-errors.ts";
import { addDirectoryEvents, type StoredEvent } from "../support/directory-events.ts";
import { type Answer, serveSmallWorld } from "../support/server.ts";
import { person } from "../support/world.ts";

const acme = ["organization", "acme"] as const;
const globex = ["organization", "globex"] as const;
const shop = ["project", "shop"] as const;
const at = (second: number) => `2025-01-01T00:00:0${second}Z`;

const people = { id: "ann", preferredLoginName: "ann@acme.example" };
const moved = { ...people, displayName: "Ann", avatarUrl: "https://pictures.example/ann", organizationId: "globex" };
const grant = { id: "g", projectId: "shop", organizationId: "globex" };
const token = {
  ...{ id: "t", name: "laptop", userId: "ann", makerId: "root" },
  ...{ creationDate: "2025-01-01T00:00:00.123456Z", expirationDate: "2025-04-01T00:00:00.123456Z" },
};

const stored: readonly StoredEvent[] = [
  { kind: "organization", id: "acme", after: { id: "acme", name: "Acme" }, places: [acme], time: at(1) },
  {
    ...{ kind: "user", id: "ann", userId: "ann", actorId: "root", reason: "a transfer", time: at(2) },
    ...{ before: { ...people, organizationId: "acme" }, after: moved, places: [acme, globex] },
  },
  {
    ...{ kind: "projectRole", id: "seller", within: "shop", actorId: "gone", time: at(3), places: [acme, shop] },
    ...{ before: { projectId: "shop", key: "seller", displayName: "S", group: "staff" }, after: null },
  },
  {
    ...{ kind: "projectGrant", id: "g", actorId: "root", time: at(4) },
    ...{ before: grant, after: { ...grant, roleKeys: ["auditor", "seller"] } },
    places: [acme, globex, shop, ["projectGrant", "g"]],
  },
  {
    ...{ kind: "administrator", id: "ann", within: "instance:", userId: "ann", actorId: "root", time: at(5) },
    after: { userId: "ann", instance: true, roles: ["IAM_OWNER"] },
  },
  { kind: "token", id: "t", userId: "ann", actorId: "root", after: token, time: at(6) },
  {
    kind: "project",
    id: "shop",
    after: { id: "shop", organizationId: "acme", name: "Shop" },
    places: [acme, shop],
    time: at(7),
  },
];

const { server, root } = await serveSmallWorld();
// What the world itself came from is of no interest here.
await server.database.query(`
  alter table directory_events disable trigger directory_events_are_kept;
  alter table directory_event_places disable trigger directory_event_places_are_kept;
  delete from directory_events;
  delete from directory_event_places;
  alter table directory_events enable trigger directory_events_are_kept;
  alter table directory_event_places enable trigger directory_event_places_are_kept`);
await addDirectoryEvents(server.database, ...stored);

const list = (request: object = {}, as = root): Promise<Answer> =>
  server.callService("directory.v1.DirectoryHistoryService/ListDirectoryEvents", request, { token: as });

describe("ListDirectoryEvents", () => {
  test("shows everything about an event, newest first", async () => {
    const { status, body } = await list();
    const actor = person("root", "acme");
    const gone = { id: "gone", preferredLoginName: "", displayName: "gone", avatarUrl: "", organizationId: "" };
    const each = { sequence: expect.stringMatching(/^[1-9]\d*$/), requestId: "3b241101-e2bb-4255-8caf-4136c566a962" };
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        pagination: { totalResult: 7, appliedLimit: 100, nextPageToken: "" },
        events: [
          {
            ...each,
            time: at(7),
            reason: "",
            after: { project: { id: "shop", organizationId: "acme", name: "Shop" } },
          },
          { ...each, time: at(6), actor, reason: "", after: { token } },
          {
            ...{ ...each, time: at(5), actor, reason: "" },
            after: { administrator: { userId: "ann", instance: true, roles: ["IAM_OWNER"] } },
          },
          {
            ...{ ...each, time: at(4), actor, reason: "" },
            before: { projectGrant: { ...grant, roleKeys: [] } },
            after: { projectGrant: { ...grant, roleKeys: ["auditor", "seller"] } },
          },
          {
            ...{ ...each, time: at(3), actor: gone, reason: "" },
            before: { projectRole: { projectId: "shop", key: "seller", displayName: "S", group: "staff" } },
          },
          {
            ...{ ...each, time: at(2), actor, reason: "a transfer" },
            before: { user: { ...people, organizationId: "acme", displayName: "", avatarUrl: "" } },
            after: { user: moved },
          },
          { ...each, time: at(1), reason: "", after: { organization: { id: "acme", name: "Acme" } } },
        ],
      },
    });
    expect(JSON.stringify(body)).not.toContain("hash");
  });

  test.each<[what: string, kinds: string[], ...filters: object[]]>([
    ["two organizations", ["projectGrant", "user"], ...[acme, globex].map(([, id]) => ({ organizationId: { id } }))],
    ["two lists of kinds", ["user"], ...[["user"], ["user", "project"]].map((kinds) => ({ kinds: { kinds } }))],
    ["two times", ["user"], { time: { from: at(2) } }, { time: { to: at(3) } }],
  ])("finds what matches both of %s", async (_what, kinds, ...filters) => {
    const { body } = await list({ filters });
    expect(body.pagination.totalResult).toBe(kinds.length);
    expect(body.events.map((event: any) => Object.keys(event.after ?? event.before)[0])).toEqual(kinds);
  });

  test.each([
    [
      { kinds: { kinds: ["users"] } },
      'filters[0].kinds.kinds[0]: must be one of organization, user, project, projectRole, projectGrant, administrator, token, got "users"',
    ],
    [{ kinds: { kinds: ["user", "user"] } }, 'filters[0].kinds.kinds: must not have duplicates, got "user" twice'],
    [{ id: { id: "x".repeat(201) } }, "filters[0].id.id: must be at most 200 characters, got 201"],
    [{}, /^filters\[0\]\.?.*set exactly one of/],
  ])("refuses the filter %j", async (filter, message) => {
    expectError(await list({ filters: [filter] }), 400, "invalid_argument", message);
  });
});
