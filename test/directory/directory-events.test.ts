import { describe, expect, test } from "vitest";
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
import { type DirectoryEvent, directoryEvents, expectDirectoryHistory } from "../support/directory-history.ts";
import { freshServerForEach } from "../support/fresh-worlds.ts";
import { hold } from "../support/locks.ts";
import { startTestServer, type TestServer } from "../support/server.ts";
import { role, user } from "../support/world.ts";

/** By request and by import: the same events. */
describe.each(["ApplyChanges", "import"])("The events of the directory, by %s", (way) => {
  let server: TestServer;
  let root: string;
  freshServerForEach({}, async (...given) => {
    [server, root] = given;
  });

  /** Makes the changes, and returns their events. */
  async function make(...changes: object[]): Promise<DirectoryEvent[]> {
    const last = (await directoryEvents(server.database)).at(-1)?.sequence;
    if (way === "import") await server.database.import(...changes);
    else await apply(server, root, ...changes);
    await expectDirectoryHistory(server.database);
    return directoryEvents(server.database, last);
  }

  const short = (events: readonly DirectoryEvent[]) =>
    events.map(({ kind, id, within, before, after }) => {
      const sign = before === null ? "+" : after === null ? "-" : "~";
      return `${sign} ${kind} ${id}${within === "" ? "" : ` in ${within}`}`;
    });

  test("one of each kind, with its image, its places, its user and who did it", async () => {
    const events = await make(
      organization("umbrella", "Umbrella"),
      user("eve", "umbrella", ""),
      project("lab", "umbrella", "Lab"),
      role("lab", "b", "Boss", "staff"),
      role("lab", "a"),
      projectGrant("lab-to-globex", "lab", "globex", "b", "a"),
      entry("eve", { instance: true }, "IAM_OWNER_VIEWER", "IAM_LOGIN_CLIENT"),
      entry("eve", { organizationId: "acme" }, "ORG_OWNER"),
      entry("eve", { projectId: "lab" }, "PROJECT_OWNER"),
      entry("eve", { projectGrantId: "lab-to-globex" }, "PROJECT_GRANT_OWNER"),
    );
    const ofLab = ["organization umbrella", "project lab"];
    const login = { preferredLoginName: "eve@umbrella.example" };
    const grant = { id: "lab-to-globex", projectId: "lab", organizationId: "globex", roleKeys: ["a", "b"] };
    expect(
      events.map(({ kind, id, within, user_id, after, places }) => [kind, id, within, user_id, after, places]),
    ).toEqual([
      ["organization", "umbrella", "", null, { id: "umbrella", name: "Umbrella" }, ["organization umbrella"]],
      ["user", "eve", "", "eve", { id: "eve", organizationId: "umbrella", ...login }, ["organization umbrella"]],
      ["project", "lab", "", null, { id: "lab", organizationId: "umbrella", name: "Lab" }, ofLab],
      ["projectRole", "b", "lab", null, { projectId: "lab", key: "b", displayName: "Boss", group: "staff" }, ofLab],
      ["projectRole", "a", "lab", null, { projectId: "lab", key: "a" }, ofLab],
      [
        ...["projectGrant", "lab-to-globex", "", null, grant],
        ["grantOwner umbrella", "grantedProject lab", "organization globex", "projectGrant lab-to-globex"],
      ],
      [
        ...["administrator", "eve", "instance:", "eve"],
        { userId: "eve", instance: true, roles: ["IAM_LOGIN_CLIENT", "IAM_OWNER_VIEWER"] },
        [],
      ],
      [
        ...["administrator", "eve", "organization:acme", "eve"],
        { userId: "eve", organizationId: "acme", roles: ["ORG_OWNER"] },
        ["organization acme"],
      ],
      [
        ...["administrator", "eve", "project:lab", "eve"],
        { userId: "eve", projectId: "lab", roles: ["PROJECT_OWNER"] },
        ofLab,
      ],
      [
        ...["administrator", "eve", "projectGrant:lab-to-globex", "eve"],
        { userId: "eve", projectGrantId: "lab-to-globex", roles: ["PROJECT_GRANT_OWNER"] },
        ["organization globex", "projectGrant lab-to-globex"],
      ],
    ]);
    expect(new Set(events.map(({ before }) => before))).toEqual(new Set([null]));
    expect(new Set(events.map(({ actor_id }) => actor_id))).toEqual(new Set([way === "import" ? null : "root"]));
    expect(new Set(events.map(({ request_id }) => request_id)).size).toBe(1);
  });

  test("none when nothing changes, and one for each thing that does", async () => {
    const same = [organization("globex", "Globex"), user("bob", "globex"), role("shop", "owner", "Owner")];
    expect(
      await make(...same, entry("root", { instance: true }, "IAM_OWNER"), remove({ userId: "nobody else" })),
    ).toEqual([]);
    const [moved, ...others] = await make(user("bob", "initech", "bob of globex"), organization("acme", "Acme"));
    expect(others).toEqual([]);
    expect(moved).toMatchObject({
      before: { organizationId: "globex", preferredLoginName: "bob@globex.example" },
      after: { organizationId: "initech", preferredLoginName: "bob@initech.example" },
      places: ["organization globex", "organization initech"],
    });
  });

  test("what follows from a removed organization, without names of its own: its users, projects, roles, grants, entries and tokens", async () => {
    await make(
      entry("bob", { projectId: "shop" }, "PROJECT_OWNER"),
      entry("ann", { organizationId: "globex" }, "ORG_OWNER"),
      entry("cid", { projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER"),
      project("mill", "globex"),
      role("mill", "miller"),
      projectGrant("mill-to-acme", "mill", "acme", "miller"),
      entry("ann", { projectGrantId: "mill-to-acme" }, "PROJECT_GRANT_OWNER"),
    );
    await server.database.token("bea");
    const [token] = await server.database.query<{ id: string }>("select id from tokens where user_id = 'bea'");
    const events = await make(remove({ organizationId: "globex" }));
    expect(short(events)).toEqual([
      `- token ${token?.id}`,
      "- administrator ann in organization:globex",
      "- administrator ann in projectGrant:mill-to-acme",
      "- administrator bob in project:shop",
      "- administrator cid in projectGrant:shop-to-globex",
      "- projectGrant mill-to-acme",
      "- projectGrant shop-to-globex",
      "- projectRole miller in mill",
      "- project mill",
      "- user bea",
      "- user bob",
      "- organization globex",
    ]);
    expect(events[0]).toMatchObject({ user_id: "bea", before: { id: token?.id, userId: "bea" }, places: [] });
    expect(events[0]?.before).not.toHaveProperty("hash");
    const ofGrant = ["grantOwner acme", "grantedProject shop", "organization globex", "projectGrant shop-to-globex"];
    expect(events[6]?.places).toEqual(ofGrant);
    // Later events are of new things with the same ids.
    const removed = await server.database.query<{ last: string }>(
      "select distinct last_directory_event::text as last from removed_things where kind || id <> ''",
    );
    expect(removed).toEqual([{ last: events.at(-1)?.sequence }]);
  });

  test("a grant that loses a key together with its role, and one that is named as a whole", async () => {
    expect(short(await make(removeRole("shop", "seller")))).toEqual([
      "- projectRole seller in shop",
      "~ projectGrant shop-to-globex",
      "~ projectGrant shop-to-initech",
    ]);
    const [, grant, ...others] = await make(
      removeRole("shop", "auditor"),
      projectGrant("shop-to-globex", "shop", "globex"),
    );
    expect(others).toEqual([]);
    expect([grant?.before, grant?.after]).toEqual([
      { id: "shop-to-globex", projectId: "shop", organizationId: "globex", roleKeys: ["auditor"] },
      { id: "shop-to-globex", projectId: "shop", organizationId: "globex" },
    ]);
  });

  test("two for a thing that goes with another one and is added again, the removal before what is remembered of it", async () => {
    await make(entry("bob", { projectId: "shop" }, "PROJECT_OWNER"));
    const events = await make(
      remove({ organizationId: "globex" }),
      user("bob", "acme", "bob of globex"),
      entry("bob", { projectId: "shop" }, "PROJECT_OWNER"),
    );
    expect(short(events)).toEqual([
      "- administrator bob in project:shop",
      "- projectGrant shop-to-globex",
      "- user bea",
      "- user bob",
      "- organization globex",
      "+ user bob",
      "+ administrator bob in project:shop",
    ]);
    expect(events[3]?.places).toEqual(["organization globex"]);
    expect(events[5]?.places).toEqual(["organization acme"]);
    const [row] = await server.database.query<{ last: string }>(
      "select last_directory_event::text as last from removed_things where kind = 'user' and id = 'bob'",
    );
    expect(row?.last).toBe(events[4]?.sequence);
  });

  test("an entry that is given without roles is removed", async () => {
    await make(entry("bob", { projectId: "shop" }, "PROJECT_OWNER"));
    expect(short(await make(entry("bob", { projectId: "shop" })))).toEqual(["- administrator bob in project:shop"]);
    expect(await make(entry("bob", { projectId: "shop" }))).toEqual([]);
  });
});

test("A token that is revoked while its user is removed gets no second event", async () => {
  const server = await startTestServer({ smallWorld: true });
  const root = await server.database.token("root");
  await server.database.token("bob");
  const held = await hold(server.database, "delete from tokens where user_id = 'bob'");
  const removing = applyChanges(server, root, [remove({ userId: "bob" })]);
  await held.untilWaiting(1);
  await held.commit();
  expect((await removing).status).toBe(200);
  expect((await directoryEvents(server.database)).filter(({ kind }) => kind === "token")).toEqual([]);
  await server.stop();
});

test("A refused request appends none", async () => {
  const server = await startTestServer({ smallWorld: true });
  const root = await server.database.token("root");
  const before = await directoryEvents(server.database);
  const { status } = await applyChanges(server, root, [organization("umbrella"), user("eve", "nowhere")]);
  expect(status).toBe(400);
  expect(await directoryEvents(server.database)).toEqual(before);
  await server.stop();
});
