import { describe, expect, test } from "vitest";
import { listed } from "../support/assign.ts";
import { apply, projectGrant, remove } from "../support/changes.ts";
import { eventsOf } from "../support/events.ts";
import { freshServerForEach } from "../support/fresh-worlds.ts";
import type { TestServer } from "../support/server.ts";

describe.each(["ApplyChanges", "import"])("What a change removes and puts in place again, by %s,", (way) => {
  let server: TestServer;
  let root: string;
  freshServerForEach({}, (...given) => {
    [server, root] = given;
  });

  async function make(...changes: object[]): Promise<void> {
    if (way === "import") await server.database.import(...changes);
    else await apply(server, root, ...changes);
  }

  const named = (id: string, userId: string, projectId: string, organizationId: string, ...roleKeys: string[]) => ({
    authorization: { id, userId, projectId, organizationId, roleKeys },
  });

  test.each([
    [{ creationDate: "2024-01-04T00:00:00Z", changeDate: "2024-01-04T00:00:00Z" }],
    [{ creationDate: "2024-01-04T00:00:00Z" }],
    [{ changeDate: "2024-01-04T00:00:00Z" }],
    [{}],
  ])("is new of now with dates that are not later than its last one: %j", async (dates) => {
    const { authorization } = named("a4", "bob", "shop", "globex");
    await make(remove({ projectGrantId: "shop-to-globex" }), projectGrant("second", "shop", "globex"), {
      authorization: { ...authorization, ...dates },
    });
    const [event] = (await eventsOf(server.database, "a4")).slice(1);
    expect(event?.type).toBe("user.grant.added");
    expect(String(event?.time) > "2026").toBe(true);
    const { creationDate, changeDate } = await listed(server, "a4", root);
    expect([creationDate, changeDate]).toEqual([event?.time, event?.time]);
  });

  test.each(["the same change", "a later one"])(
    "has its change date as its last date, also when no event has it: put in place by %s",
    async (when) => {
      const here = (userId: string, creationDate: string, changeDate: string) => ({
        authorization: { ...named("x", userId, "depot", "acme").authorization, creationDate, changeDate },
      });
      await make(here("nobody", "2024-01-01T00:00:00Z", "2999-09-12T00:00:00Z"));
      const again = here("cid", "2024-06-01T00:00:00Z", "2999-01-01T00:00:00Z");
      if (when === "the same change") await make(remove({ userId: "nobody" }), again);
      else {
        await make(remove({ userId: "nobody" }));
        await make(again);
      }
      const after = when === "the same change" ? "2999-09-12T00:00:00.000001Z" : "2999-09-12T00:00:00.000002Z";
      expect(await listed(server, "x", root)).toMatchObject({ creationDate: after, changeDate: after });
      expect((await eventsOf(server.database, "x")).at(-1)).toMatchObject({ type: "user.grant.added", time: after });
    },
  );
});
