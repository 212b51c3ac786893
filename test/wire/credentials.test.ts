import { beforeAll, describe, expect, test } from "vitest";
import { administrator } from "../support/assign.ts";
import { expectRefusal, unauthenticated } from "../support/refusals.ts";
import { serveSmallWorld } from "../support/server.ts";

const { server, root } = await serveSmallWorld({ limits: { maximumRequestBytes: 10_000 } });

const rpcs = ["List", "Create", "Update", "Delete", "Activate", "Deactivate"].map((verb) => `${verb}Authorization`);
const nameOf = (rpc: string) => (rpc === "ListAuthorization" ? "ListAuthorizations" : rpc);
const url = (rpc: string) => `${server.url}/service.authorization.v2.AuthorizationService/${nameOf(rpc)}`;

/** Everything of an answer but the time. */
async function exact(response: Response): Promise<unknown> {
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => name !== "date" && name !== "x-request-id"),
  );
  return { status: response.status, headers, body: await response.text() };
}

async function call(authorization: string | undefined, more: RequestInit = {}, rpc = "ListAuthorizations") {
  const headers: Record<string, string> = { "content-type": "application/json", "connect-protocol-version": "1" };
  if (authorization !== undefined) headers.authorization = authorization;
  return fetch(url(rpc), {
    method: "POST",
    body: "{}",
    ...more,
    headers: { ...headers, ...(more.headers as Record<string, string>) },
  });
}

const sql = (text: string, ...values: unknown[]) => server.database.query(text, values);
const total = async (token: string) =>
  (await server.call("ListAuthorizations", {}, { token })).body.pagination?.totalResult;

describe("Credentials that are not acceptable", () => {
  let unacceptable: Record<string, string | undefined>;

  beforeAll(async () => {
    const revoked = await administrator(server.database);
    await sql("delete from tokens where hash = sha256($1)", revoked);
    const removed = await administrator(server.database);
    await sql("delete from users where id = (select user_id from tokens where hash = sha256($1))", removed);
    unacceptable = {
      missing: undefined,
      empty: "",
      "a scheme alone": "Bearer",
      "a scheme and a space": "Bearer ",
      "no scheme": root,
      "the scheme Basic": `Basic ${Buffer.from(`root:${root}`).toString("base64")}`,
      "another scheme": `Token ${root}`,
      "two tokens": `Bearer ${root} ${root}`,
      "two credentials": `Bearer ${root}, Bearer ${root}`,
      quoted: `Bearer "${root}"`,
      unknown: "Bearer authz_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      "one character more": `Bearer ${root}A`,
      "one character less": `Bearer ${root.slice(0, -1)}`,
      "another case": `Bearer ${root.toUpperCase()}`,
      "padding behind it": `Bearer ${root}=`,
      "the hash itself": `Bearer ${Buffer.from((await sql("select hash from tokens limit 1"))[0]?.hash as Buffer).toString("hex")}`,
      "what looks like a JWT": "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJyb290In0.",
      "a quotation mark for SQL": "Bearer '",
      "characters beyond ASCII": "Bearer t\u00f6ken",
      expired: `Bearer ${await server.database.token("root", -1)}`,
      "expired at this very moment": `Bearer ${await server.database.token("root", 0)}`,
      revoked: `Bearer ${revoked}`,
      "of a user that was removed": `Bearer ${removed}`,
    };
  });

  test("are unauthenticated with WWW-Authenticate: Bearer", async () => {
    const answer = await server.call("ListAuthorizations", {}, {});
    expectRefusal(answer, unauthenticated);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
  });

  test("get the same answer byte for byte, whatever is wrong with them", async () => {
    const expected = await exact(await call(undefined));
    for (const [what, authorization] of Object.entries(unacceptable)) {
      expect(await exact(await call(authorization)), what).toEqual(expected);
    }
  });

  test("get it from every RPC, before anything else is looked at", async () => {
    const expected = await exact(await call(undefined));
    const others: Record<string, RequestInit> = {
      "no protocol version": { headers: { "connect-protocol-version": "2" } },
      "a malformed timeout": { headers: { "connect-timeout-ms": "soon" } },
      "too long a timeout": { headers: { "connect-timeout-ms": "9999999999" } },
      "an unknown compression": { headers: { "content-encoding": "zstd" } },
      "broken compression": { headers: { "content-encoding": "gzip" } },
      "malformed JSON": { body: "{" },
      "bad UTF-8": { body: new Uint8Array([0xff]) },
      "an unknown field": { body: '{"nope":1}' },
      "a broken rule": { body: '{"filters":[{}],"id":""}' },
      "too large a body": { body: " ".repeat(20_000) },
      "malformed protobuf": { body: new Uint8Array([0x0a]), headers: { "content-type": "application/proto" } },
    };
    for (const rpc of rpcs) {
      for (const [what, init] of Object.entries(others)) {
        for (const authorization of [undefined, unacceptable.expired]) {
          expect(await exact(await call(authorization, init, rpc)), `${rpc} with ${what}`).toEqual(expected);
        }
      }
    }
  });
});

test("The scheme may be written in any case, and more than one space may follow", async () => {
  for (const scheme of ["Bearer", "bearer", "BEARER", "Bearer  "]) {
    expect((await call(`${scheme} ${root}`)).status, scheme).toBe(200);
  }
});

test("A token without an end is accepted, and one in the query is not looked at", async () => {
  const token = await administrator(server.database);
  await sql("update tokens set expiration_date = null where hash = sha256($1)", token);
  expect(await total(token)).toBe(0);
  const query = `authorization.v2.AuthorizationService/ListAuthorizations?access_token=${token}`;
  expect((await server.callService(query, {})).status).toBe(401);
});

describe("Takes effect on the very next request:", () => {
  test("revoking a token, while the user's other tokens go on", async () => {
    const [one, other] = [await server.database.token("bob"), await server.database.token("bob")];
    expect([await total(one), await total(other)]).toEqual([2, 2]);
    await sql("delete from tokens where hash = sha256($1)", one);
    expectRefusal(await server.call("ListAuthorizations", {}, { token: one }), unauthenticated);
    expect(await total(other)).toBe(2);
  });

  test("the end of a token", async () => {
    const token = await server.database.token("bob");
    expect(await total(token)).toBe(2);
    await sql("update tokens set expiration_date = now() where hash = sha256($1)", token);
    expectRefusal(await server.call("ListAuthorizations", {}, { token }), unauthenticated);
  });

  test("removing an administrator entry, changing it, and adding it again", async () => {
    const token = await administrator(server.database, { organizationId: "globex", roles: ["ORG_OWNER"] });
    const user = "(select user_id from tokens where hash = sha256($1))";
    const rename = () => server.call("UpdateAuthorization", { id: "a5", roleKeys: ["seller"] }, { token });
    expect([await total(token), (await rename()).status]).toEqual([2, 200]);
    await sql(`update administrators set roles = '{ORG_OWNER_VIEWER}' where user_id = ${user}`, token);
    expect([await total(token), (await rename()).status]).toEqual([2, 403]);
    await sql(`delete from administrators where user_id = ${user}`, token);
    expect([await total(token), (await rename()).status]).toEqual([0, 404]);
    await sql(`insert into administrators (user_id, roles) values (${user}, '{IAM_OWNER_VIEWER}')`, token);
    expect(await total(token)).toBe(6);
  });

  test("removing a user", async () => {
    const token = await administrator(server.database, { organizationId: "globex", roles: ["ORG_OWNER"] });
    expect(await total(token)).toBe(2);
    await sql("delete from users where id = (select user_id from tokens where hash = sha256($1))", token);
    expectRefusal(await server.call("ListAuthorizations", {}, { token }), unauthenticated);
  });
});
