import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { permissionsOfRole } from "../../src/authorization/permissions.ts";
import { type AdministratorEntry, administrator } from "../support/assign.ts";
import { apply, entry, remove } from "../support/changes.ts";
import { denied, expectRefusal } from "../support/refusals.ts";
import { errorInfo, startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let root: string;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
  await server.database.load(
    entry("ann", { instance: true }, "IAM_OWNER_VIEWER"),
    entry("ann", { projectId: "shop" }, "PROJECT_OWNER"),
    entry("ann", { projectId: "depot" }, "PROJECT_OWNER", "PROJECT_OWNER_VIEWER_GLOBAL"),
    entry("ann", { organizationId: "initech" }, "ORG_OWNER"),
    entry("ann", { organizationId: "acme" }, "ORG_OWNER"),
    entry("ann", { projectGrantId: "shop-to-initech" }, "PROJECT_GRANT_OWNER"),
    entry("bob", { organizationId: "globex" }, "ORG_OWNER"),
    entry("bob", { projectGrantId: "shop-to-globex" }, "PROJECT_GRANT_OWNER_VIEWER"),
  );
  root = await server.database.token("root");
});
afterAll(() => server.stop());

const inOrder = [
  { userId: "ann", instance: true, roles: ["IAM_OWNER_VIEWER"] },
  { userId: "ann", organizationId: "acme", roles: ["ORG_OWNER"] },
  { userId: "ann", organizationId: "initech", roles: ["ORG_OWNER"] },
  { userId: "ann", projectId: "depot", roles: ["PROJECT_OWNER", "PROJECT_OWNER_VIEWER_GLOBAL"] },
  { userId: "ann", projectId: "shop", roles: ["PROJECT_OWNER"] },
  { userId: "ann", projectGrantId: "shop-to-initech", roles: ["PROJECT_GRANT_OWNER"] },
  { userId: "bob", organizationId: "globex", roles: ["ORG_OWNER"] },
  { userId: "bob", projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER_VIEWER"] },
  { userId: "root", instance: true, roles: ["IAM_OWNER"] },
];

function list(request: object, token = root) {
  return server.callDirectory("ListAdministrators", request, { token });
}

async function expectPage(request: object, administrators: object[], total = administrators.length, limit = 100) {
  const { status, body } = await list(request);
  const pagination = { totalResult: total, appliedLimit: limit, nextPageToken: expect.any(String) };
  expect({ status, body }).toEqual({ status: 200, body: { pagination, administrators } });
}

describe("ListAdministrators", () => {
  test("answers all entries by user, the instance before organizations, projects and grants, or the other way", async () => {
    await expectPage({ pagination: { asc: true } }, inOrder);
    await expectPage({}, inOrder.toReversed());
    await expectPage({ pagination: { asc: false } }, inOrder.toReversed());
  });

  test.each([true, false])("page tokens followed to the end show every entry once, in order (asc: %s)", async (asc) => {
    const reached: object[] = [];
    const totals = new Set<number>();
    let pageToken = "";
    do {
      const { body } = await list({ pagination: { asc, limit: 2, pageToken, skipTotal: reached.length === 2 } });
      reached.push(...body.administrators);
      totals.add(body.pagination.totalResult);
      pageToken = body.pagination.nextPageToken;
    } while (pageToken !== "");
    expect(reached).toEqual(asc ? inOrder : inOrder.toReversed());
    expect([...totals]).toEqual([inOrder.length, 0]);
  });

  test("refuses a page token of another list of entries, and what is none", async () => {
    const pageToken: string = (await list({ pagination: { limit: 1 } })).body.pagination.nextPageToken;
    const [of] = JSON.parse(Buffer.from(pageToken, "base64url").toString());
    const forged = (...position: string[]) => Buffer.from(JSON.stringify([of, ...position])).toString("base64url");
    const requests = [
      { userId: "bob", pagination: { pageToken } },
      { instance: true, pagination: { pageToken } },
      { organizationId: "acme", pagination: { pageToken } },
      { pagination: { pageToken, asc: true } },
      ...["", "x"].map((other) => ({ pagination: { pageToken: `${pageToken}${other}`.slice(1) } })),
      ...[["bob"], ["bob", "4", "x"], ["bob", "", "x"], ["bob", "1", "x", "y"]].map((position) => ({
        pagination: { pageToken: forged(...position) },
      })),
    ];
    for (const request of requests) {
      const answer = await list(request);
      expect([request, answer.status, errorInfo(answer)?.reason]).toEqual([request, 400, "PAGE_TOKEN_INVALID"]);
    }
    await expectPage({ pagination: { pageToken: forged("", "0", "") } }, [], inOrder.length);
  });

  test("answers those of one user, exactly", async () => {
    await expectPage({ userId: "bob" }, inOrder.slice(6, 8).toReversed());
    for (const userId of ["Bob", "cid", "no such user", "%", "\u{1f600}".repeat(200)]) await expectPage({ userId }, []);
    await expectPage({ userId: "" }, inOrder.toReversed());
  });

  test.each([
    [{ instance: true }, [8, 0]],
    [{ organizationId: "acme" }, [1]],
    [{ organizationId: "globex" }, [6]],
    [{ projectId: "shop" }, [4]],
    [{ projectGrantId: "shop-to-globex" }, [7]],
    [{ projectGrantId: "shop" }, []],
    [{ organizationId: "nowhere" }, []],
    [{ userId: "ann", instance: true }, [0]],
    [{ userId: "ann", organizationId: "globex" }, []],
    [{ userId: "bob", projectGrantId: "shop-to-globex" }, [7]],
  ])("answers those of %j", async (request, places) => {
    await expectPage(
      request,
      places.map((place) => inOrder[place] ?? {}),
    );
  });

  test("pages: the total is that of all that match, also past the end", async () => {
    for (let offset = 0; offset < 11; offset += 2) {
      const page = { pagination: { asc: true, offset, limit: 2 } };
      await expectPage(page, inOrder.slice(offset, offset + 2), 9, 2);
    }
    await expectPage(
      { userId: "ann", pagination: { asc: true, offset: 4, limit: 1_000 } },
      inOrder.slice(4, 6),
      6,
      1_000,
    );
    await expectPage({ pagination: { offset: "18446744073709551615", limit: 1 } }, [], 9, 1);
  });

  test("refuses a limit over the maximum", async () => {
    expectRefusal(await list({ pagination: { limit: 1_001 } }), {
      status: 400,
      code: "invalid_argument",
      reason: "LIMIT_EXCEEDED",
      metadata: { limit: "1001", maximum: "1000" },
    });
  });

  test.each([{ instance: false }, { organizationId: "" }, { userId: "x".repeat(201) }, { user: "ann" }])(
    "refuses %j as invalid_argument",
    async (request) => {
      expect((await list(request)).body.code).toBe("invalid_argument");
    },
  );

  test("shows a change at once", async () => {
    const scope = { organizationId: "acme" };
    const [given, then] = [["ORG_OWNER_VIEWER"], ["ORG_USER_MANAGER", "ORG_OWNER"]];
    for (const roles of [given, then]) {
      await apply(server, root, entry("cid", scope, ...roles));
      const { body } = await list({ userId: "cid" });
      expect(body.administrators.map((each: any) => each.roles.toSorted())).toEqual([roles.toSorted()]);
    }
    await apply(server, root, remove({ administrator: { userId: "cid", ...scope } }));
    await expectPage({ userId: "cid" }, []);
  });

  test("refuses callers without directory.write, and says nothing else", async () => {
    const entries: (AdministratorEntry | undefined)[] = [
      undefined,
      ...["IAM_ORG_MANAGER", "IAM_USER_MANAGER", "IAM_LOGIN_CLIENT", "IAM_OWNER_VIEWER"].map((role) => ({
        instance: true as const,
        roles: [role],
      })),
      { organizationId: "acme", roles: Object.keys(permissionsOfRole).filter((role) => role.startsWith("ORG_")) },
    ];
    for (const each of entries) {
      const token = await administrator(server.database, each);
      for (const request of [{}, { userId: "ann" }, { organizationId: "nowhere" }, { pagination: { limit: 5_000 } }]) {
        expectRefusal(await list(request, token), denied("directory.write"));
      }
    }
    expect((await server.callDirectory("ListAdministrators", {})).status).toBe(401);
    await server.database.query("delete from administrators where user_id like 'user-%'");
  });
});
