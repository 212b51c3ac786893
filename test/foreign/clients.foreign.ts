// What clients of other makers get from a real server, each in the same way: docs/how-to/call-from-*.md promise it.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoCallers } from "../../demo/world.ts";
import { hold } from "../support/locks.ts";
import type { Answer, Caller } from "./caller.ts";
import { clients, type Way } from "./clients.ts";
import { errors } from "./errors.ts";
import { buildGo } from "./follow-go.ts";
import { serveDemo, startService } from "./service.ts";
import { printTable, record } from "./table.ts";

/** Stops every list. Servers look at assignments each second, for ends that have passed, but not at their roles. */
const lockRoles = "lock table authorization_roles in access exclusive mode";

// Longer than a test waits for the end of SQL, so that a cancelled call doesn't end by its deadline.
const { database, service, token } = await serveDemo("clients", { DEFAULT_TIMEOUT_MS: "60000" });
const bob = await database.token(demoCallers.plainUser);
const limited = await startService(database, { RATE_LIMIT: "1", RATE_LIMIT_PERIOD_MS: "86400000" });
afterAll(async () => {
  printTable();
  await limited.stop();
});
beforeAll(() => buildGo("caller", service.url));

const shop = [{ projectId: { id: "shop" } }, { state: { state: "STATE_ACTIVE" } }];

describe.each(clients.map((client) => [`${client.name}, ${client.protocol}, ${client.service}`, client] as const))(
  "%s",
  (_title, client) => {
    let caller: Caller;
    const call = (rpc: string, request: object, options: object = {}) =>
      caller.call({ rpc, request, token, ...options });

    beforeAll(async () => {
      caller = client.start(service.url);
    });
    afterAll(() => caller.kill());

    /** A test of something that this way of calling can do. */
    function check(what: string, run: () => Promise<string>, can = true): void {
      test.runIf(can)(what, async () => {
        record(client, what, "failed");
        record(client, what, await run());
      });
    }

    check("list", async () => {
      const ids: string[] = [];
      let pages = 0;
      let total = 1;
      while (ids.length < total) {
        const pagination = { offset: ids.length, limit: 250, asc: true };
        const sortingColumn = "AUTHORIZATION_FIELD_NAME_USER_ID";
        const { code, response } = await call("ListAuthorizations", { filters: shop, pagination, sortingColumn });
        expect(code).toBe("ok");
        expect(response.authorizations).not.toHaveLength(0);
        ids.push(...response.authorizations.map(({ id }: { id: string }) => id));
        total = Number(response.pagination.totalResult);
        pages += 1;
      }
      const stored = await database.query<{ id: string }>(inOrder);
      expect(ids).toEqual(stored.map(({ id }) => id));
      return `${total} rows in ${pages} pages`;
    });

    check("change", async () => {
      const place = { userId: demoCallers.plainUser, projectId: "console", organizationId: "cloud" };
      const stateOf = async (id: string) => {
        const { response } = await call("ListAuthorizations", { filters: [{ authorizationIds: { ids: [id] } }] });
        return (response.authorizations ?? []).map(({ state, roles }: any) => [
          state,
          ...roles.map((role: any) => role.key),
        ]);
      };
      const { code, response } = await call("CreateAuthorization", { ...place, roleKeys: ["operator"] });
      expect(code).toBe("ok");
      const { id } = response;
      expect(await stateOf(id)).toEqual([["STATE_ACTIVE", "operator"]]);
      for (const [rpc, request, after] of [
        ["UpdateAuthorization", { roleKeys: ["security-officer"] }, [["STATE_ACTIVE", "security-officer"]]],
        ["DeactivateAuthorization", {}, [["STATE_INACTIVE", "security-officer"]]],
        ["ActivateAuthorization", {}, [["STATE_ACTIVE", "security-officer"]]],
        ["DeleteAuthorization", {}, []],
      ] as const) {
        expect([rpc, (await call(rpc, { id, ...request })).code]).toEqual([rpc, "ok"]);
        expect([rpc, await stateOf(id)]).toEqual([rpc, after]);
      }
      return "create, update, deactivate, activate, delete";
    });

    check("errors", async () => {
      const found: unknown[] = [];
      for (const { rpc, request, as = "carol" } of errors) {
        const answer = await call(rpc, request, { token: { carol: token, bob, no: undefined }[as] });
        found.push([rpc, request, answer.code, reasonOf(answer)]);
      }
      expect(found).toEqual(errors.map(({ rpc, request, code, reason }) => [rpc, request, code, reason]));
      return `${errors.length} of ${errors.length} with reason`;
    });

    check(
      "deadline",
      async () => {
        const lock = await hold(database, lockRoles);
        const { code } = await call("ListAuthorizations", {}, { timeoutMs: 700 });
        expect(code).toBe("deadlineexceeded");
        await lock.untilWaiting(0);
        await lock.rollback();
        return "deadline_exceeded, SQL ended";
      },
      client.hasDeadlines,
    );

    check("cancel", async () => {
      const lock = await hold(database, lockRoles);
      const leaving = client.canCancel ? caller : client.start(service.url);
      const { answer, cancel } = leaving.begin({ rpc: "ListAuthorizations", request: {}, token });
      const code = answer.then(
        (came) => came.code,
        () => "killed",
      );
      await lock.untilWaiting(1);
      if (client.canCancel) cancel();
      else await leaving.kill();
      await lock.untilWaiting(0);
      await lock.rollback();
      expect(await code).toBe(client.canCancel ? "canceled" : "killed");
      return client.canCancel ? "canceled, SQL ended" : "process killed, SQL ended";
    });

    check("at once", async () => {
      const answers = await Promise.all(
        Array.from({ length: client.atOnce }, () =>
          call("ListAuthorizations", { filters: shop, pagination: { limit: 1 } }),
        ),
      );
      expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(["ok"]));
      return `${client.atOnce} calls`;
    });

    check("large page", async () => {
      const { code, response } = await call("ListAuthorizations", { pagination: { limit: 1_000 } });
      expect([code, response.authorizations.length]).toEqual(["ok", 1_000]);
      return "1000 rows";
    });

    check("metadata", async () => {
      const id = `foreign-${clients.indexOf(client)}`;
      const { headers } = await call(
        "ListAuthorizations",
        { pagination: { limit: 1 } },
        { headers: { "x-request-id": id } },
      );
      if (client.showsHeaders) expect(headers["x-request-id"]).toBe(id);
      await service.running.until("stderr", new RegExp(`"requestId":"${id}"`));
      const refused = client.start(limited.url);
      const own = { rpc: "ListAuthorizations", request: {}, token: await database.token(await someUser(client)) };
      const answers = [await refused.call(own), await refused.call(own)];
      await refused.kill();
      expect(answers.map((answer) => [answer.code, reasonOf(answer)])).toEqual([
        ["ok", undefined],
        ["resourceexhausted", "RATE_LIMITED"],
      ]);
      if (client.showsHeaders) expect(Number(answers[1]?.headers["retry-after"])).toBeGreaterThan(0);
      return client.showsHeaders ? "request id, retry-after" : "request id (in the log)";
    });
  },
);

/** The reason of an error, or which details it has instead. */
function reasonOf({ reason, details = [] }: Answer): string | undefined {
  return reason ?? details[0];
}

/** Each caller has a rate limit of its own. */
async function someUser(client: Way): Promise<string> {
  const [user] = await database.query<{ id: string }>("select id from users order by id offset $1 limit 1", [
    clients.indexOf(client),
  ]);
  return user?.id ?? "";
}

const inOrder = `
  select id from authorizations
  where project_id = 'shop' and state = 'active'
  order by user_id, id`;
