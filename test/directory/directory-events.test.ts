import { describe, expect, test } from "vitest";
import { apply, applyChanges, entry, project, projectGrant, remove } from "../support/changes.ts";
import { type DirectoryEvent, directoryEvents, expectDirectoryHistory } from "../support/directory-history.ts";
import { freshServerForEach } from "../support/fresh-worlds.ts";
import { hold } from "../support/locks.ts";
import { serverInTest, type TestServer } from "../support/server.ts";
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
});

test("A token that is revoked while its user is removed gets no second event", async () => {
  const server = await serverInTest({ smallWorld: true });
  const root = await server.database.token("root");
  await server.database.token("bob");
  const held = await hold(server.database, "delete from tokens where user_id = 'bob'");
  const [removing] = await held.holdUp([() => applyChanges(server, root, [remove({ userId: "bob" })])]);
  expect(removing.status).toBe(200);
  expect((await directoryEvents(server.database)).filter(({ kind }) => kind === "token")).toEqual([]);
});
