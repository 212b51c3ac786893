import { randomBytes } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, test } from "vitest";
import { CreateTokenRequestSchema } from "../../gen/service/identity/v1/token_service_pb.ts";
import { post } from "../support/call-headers.ts";
import { entry } from "../support/changes.ts";
import { hold } from "../support/locks.ts";
import { denied, expectRefusal, precondition, unauthenticated } from "../support/refusals.ts";
import { serverInTest, serveTests } from "../support/server.ts";
import { callTokens, created, daysOf, expire, listedTokens, statusWith } from "../support/tokens.ts";
import { user } from "../support/world.ts";

/** A new user without rights, with a token that never ends. */
let plain: { id: string; token: string };

const server = await serveTests({ smallWorld: true, verifyJwt: async (jwt) => jwt.split(".")[1] });
const root = await lasting("root");
beforeEach(async () => {
  const id = `user-${randomBytes(6).toString("hex")}`;
  await server.database.load(user(id, "initech"));
  plain = { id, token: await lasting(id) };
});

/** A token that never ends, made without a maker. */
async function lasting(userId: string): Promise<string> {
  const token = await server.database.token(userId);
  await server.database.query("update tokens set expiration_date = null where hash = sha256($1)", [token]);
  return token;
}

const ask = (request: object, token = plain.token) => callTokens(server, "CreateToken", request, token);
const idOf = async (token: string) =>
  (await server.database.query<{ id: string }>("select id from tokens where hash = sha256($1)", [token]))[0]?.id ?? "";

const metadata = { maximum: "31622400s" };
const exceeded = { status: 400, code: "invalid_argument", reason: "LIFETIME_EXCEEDED", metadata };
const userNotFound = precondition("USER_NOT_FOUND");
const tooMany = { status: 429, code: "resource_exhausted", reason: "TOO_MANY_TOKENS", metadata: { maximum: "100" } };

describe("CreateToken", () => {
  test("answers a token that works at once, for 90 days, under its name", async () => {
    const answer = await created(server, plain.token, { name: "a script" });
    expect(answer).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      token: expect.stringMatching(/^authz_[\w-]{43}$/),
      expirationDate: expect.stringMatching(/Z$/),
      shortened: false,
    });
    expect(await statusWith(server, answer.token)).toBe(200);
    expect(await daysOf(server, answer.id)).toBe(90);
    const [newest] = await listedTokens(server, answer.token);
    expect(newest).toMatchObject({
      id: answer.id,
      name: "a script",
      user: { id: plain.id, displayName: `${plain.id} of initech`, organizationId: "initech" },
      maker: { id: plain.id },
      expirationDate: answer.expirationDate,
    });
  });

  // A part of a microsecond counts as a whole one, so that no token ends early.
  test.each([
    ["0.000000001s", 1e-6],
    ["0.000000999s", 1e-6],
    ["0.000001s", 1e-6],
    ["0.000001001s", 2e-6],
    ["1s", 1],
    ["86400.5s", 86_400.5],
    ["31622400s", 366 * 86_400],
  ])("makes a token that lasts %s", async (lifetime, seconds) => {
    const { id } = await created(server, plain.token, { lifetime });
    expect(await daysOf(server, id)).toBeCloseTo(seconds / 86_400, seconds < 1 ? 15 : 12);
  });

  test("makes one that lasts as long as it may by default, if that is less than 90 days", async () => {
    const limits = { maximumTokenSeconds: 30 * 86_400 };
    const strict = await serverInTest({ database: server.database, limits });
    expect(await daysOf(server, (await created(strict, plain.token)).id)).toBe(30);
  });

  test.each(["31622400.000000001s", "31622401s", "315576000000s"])("refuses to make one last %s", async (lifetime) => {
    expectRefusal(await ask({ lifetime }), exceeded);
    expectRefusal(await ask({ lifetime, userId: plain.id }, root), exceeded);
  });

  test.each(["0s", "-1s", "-0.000000001s"])("refuses the lifetime %s as a broken rule", async (lifetime) => {
    const { status, body } = await ask({ lifetime });
    expect([status, body.code, body.message]).toEqual([400, "invalid_argument", "lifetime: must be more than 0s"]);
  });

  test.each([
    ["more nanoseconds than a second has", 1n, 2_000_000_000],
    ["a negative part", 1n, -1],
    ["more seconds than any duration", 9_000_000_000_000_000_000n, 0],
  ])("takes no lifetime with %s", async (_what, seconds, nanos) => {
    const request = create(CreateTokenRequestSchema, { lifetime: { seconds, nanos } });
    const bytes = toBinary(CreateTokenRequestSchema, request);
    const binary = { contentType: "application/proto" };
    const response = await post(server.url, plain.token, "identity.v1.TokenService/CreateToken", bytes, binary);
    expect(response.status).toBe(400);
  });

  test("has names of up to 200 characters", async () => {
    await created(server, plain.token, { name: "😀".repeat(200) });
    const { status, body } = await ask({ name: "x".repeat(201) });
    expect([status, body.message]).toEqual([400, "name: must be at most 200 characters, got 201"]);
  });

  test("takes a user's own id for an empty one", async () => {
    await created(server, plain.token, { userId: plain.id });
  });

  test.each([
    ["a user that exists", "ann"],
    ["no user", "no such user"],
    ["no possible user", "x".repeat(200)],
  ])("is refused for %s, in the same words, unless the caller is an IAM_OWNER", async (_what, userId) => {
    const [answer, forAnn] = [await ask({ userId }), await ask({ userId: "ann" })];
    expectRefusal(answer, denied("directory.write"));
    expect(answer.body).toEqual(forAnn.body);
  });

  test.each(["IAM_OWNER_VIEWER", "IAM_ORG_MANAGER", "IAM_USER_MANAGER", "IAM_LOGIN_CLIENT"])(
    "is refused to an %s for others",
    async (role) => {
      await server.database.load(entry(plain.id, { instance: true }, role));
      expectRefusal(await ask({ userId: "ann" }), denied("directory.write"));
      expectRefusal(await ask({ userId: "root" }), denied("directory.write"));
      await created(server, plain.token);
    },
  );

  test("lets an IAM_OWNER make tokens for anyone, who sees who made them", async () => {
    const { token } = await created(server, root, { userId: plain.id, name: "from root" });
    const [newest] = await listedTokens(server, token);
    expect(newest).toMatchObject({ name: "from root", user: { id: plain.id }, maker: { id: "root" } });
    expectRefusal(await ask({ userId: "no such user" }, root), userNotFound);
  });

  test("gives the rights of its user, and none of its maker", async () => {
    const { token } = await created(server, root, { userId: plain.id });
    const rights = async (of: string) =>
      (await server.callService("authorization.v2.CallerService/GetCaller", {}, { token: of })).body;
    expect(await rights(token)).toEqual(await rights(plain.token));
    expectRefusal(await ask({ userId: "root" }, token), denied("directory.write"));
  });
});

describe("A token made with a personal access token", () => {
  test("ends no later than that one, and the answer says so", async () => {
    const day = await created(server, plain.token, { lifetime: "86400s" });
    expect(day.shortened).toBe(false);
    const short = await created(server, day.token);
    expect(short).toMatchObject({ shortened: true, expirationDate: day.expirationDate });
    // Also for one that is made with that one, and so on.
    expect(await created(server, short.token)).toMatchObject({ shortened: true, expirationDate: day.expirationDate });
    const hour = await created(server, short.token, { lifetime: "3600s" });
    expect(hour.shortened).toBe(false);
    expect(await created(server, hour.token)).toMatchObject({ shortened: true, expirationDate: hour.expirationDate });
  });

  test("is not shortened if that one never ends", async () => {
    expect(await created(server, plain.token, { lifetime: "31622400s" })).toMatchObject({ shortened: false });
  });

  test("is shortened for an IAM_OWNER, too, unless it is for another user", async () => {
    const day = await created(server, root, { lifetime: "86400s" });
    const shortened = { shortened: true, expirationDate: day.expirationDate };
    for (const request of [{}, { userId: "root" }])
      expect(await created(server, day.token, request)).toMatchObject(shortened);
    const other = await created(server, day.token, { userId: plain.id });
    expect(other.shortened).toBe(false);
    expect(await daysOf(server, other.id)).toBe(90);
  });

  test("can't be made once that one has expired, not even by a request that came before", async () => {
    const day = await created(server, plain.token, { lifetime: "86400s" });
    const held = await hold(server.database, "select from users where id = $1 for update", [plain.id]);
    const waiting = ask({}, day.token);
    await held.untilWaiting(1);
    await expire(server, day.id);
    await held.commit();
    expectRefusal(await waiting, unauthenticated);
    expectRefusal(await ask({}, day.token), unauthenticated);
    expect(await listedTokens(server, plain.token)).toHaveLength(2);
  });
});

test("A caller with a JWT makes tokens as long as the API allows", async () => {
  const { id, shortened } = await created(server, `jwt.${plain.id}.x`, { lifetime: "31622400s" });
  expect(shortened).toBe(false);
  expect(await daysOf(server, id)).toBe(366);
  const [row] = await server.database.query("select made_with from tokens where id = $1", [id]);
  expect(row).toEqual({ made_with: null });
});

describe("A user has at most 100 tokens that have not expired", () => {
  const fill = (number: number) =>
    server.database.query(
      `insert into tokens (id, user_id, hash, expiration_date)
       select $1::text || n, $1, sha256(convert_to($1 || n, 'UTF8')), now() + interval '1 day' from generate_series(1, $2) n`,
      [plain.id, number],
    );

  test("through the API, no matter who makes them", async () => {
    await fill(98);
    await created(server, plain.token);
    expectRefusal(await ask({}), tooMany);
    expectRefusal(await ask({ userId: plain.id }, root), tooMany);
    await created(server, root, { userId: "ann" });
  });

  test("of which expired and revoked ones are none", async () => {
    await fill(99);
    expectRefusal(await ask({}), tooMany);
    await expire(server, `${plain.id}7`);
    await created(server, plain.token);
    expectRefusal(await ask({}), tooMany);
    expect((await callTokens(server, "RevokeToken", { id: `${plain.id}8` }, plain.token)).status).toBe(200);
    await created(server, plain.token);
    expectRefusal(await ask({}), tooMany);
  });

  test("also when twenty requests race for the last ones", async () => {
    await fill(94);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({})));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([...Array(5).fill(200), ...Array(15).fill(429)]);
    expect(await listedTokens(server, plain.token, { pagination: { limit: 1_000 } })).toHaveLength(100);
  });
});

describe("The event of a new token", () => {
  const eventsOf = (id: string) =>
    server.database.query(
      "select kind, within, user_id, actor_id, reason, before, after, time from directory_events where id = $1",
      [id],
    );

  test("has everything but what proves it, and who made it and why", async () => {
    const { id } = await created(server, root, { userId: plain.id, name: "n", reason: "for a test" });
    const [listed] = await listedTokens(server, plain.token);
    expect(await eventsOf(id)).toEqual([
      {
        kind: "token",
        within: "",
        user_id: plain.id,
        actor_id: "root",
        reason: "for a test",
        before: null,
        after: {
          id,
          name: "n",
          userId: plain.id,
          makerId: "root",
          creationDate: expect.any(String),
          expirationDate: expect.any(String),
        },
        time: expect.any(BigInt),
      },
    ]);
    const [{ after }] = (await eventsOf(id)) as [{ after: Record<string, string> }];
    expect(Date.parse(after.creationDate ?? "")).toBe(Date.parse(listed.creationDate));
    expect(Date.parse(after.expirationDate ?? "")).toBe(Date.parse(listed.expirationDate));
  });

  test("is not there if the token is not", async () => {
    const before = await server.database.query("select count(*) from directory_events");
    await ask({ userId: "no such user" }, root);
    await ask({ lifetime: "31622401s" });
    expect(await server.database.query("select count(*) from directory_events")).toEqual(before);
  });
});

test("A token belongs to the request that made it, and not to another token of the same user", async () => {
  const { id } = await created(server, plain.token);
  const [row] = await server.database.query("select made_with, maker_id from tokens where id = $1", [id]);
  expect(row).toEqual({ made_with: await idOf(plain.token), maker_id: plain.id });
});
