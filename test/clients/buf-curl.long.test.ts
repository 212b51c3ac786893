import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import { startTestServer } from "../support/server.ts";

const root = join(import.meta.dirname, "../..");
const run = promisify(execFile);

const server = await startTestServer({ smallWorld: true });
const token = await server.database.token("root");
// The schema names rules that are printed from a package.
await run(process.execPath, [join(root, "scripts/print-validate-proto.ts")], { cwd: root });
afterAll(() => server.stop());

/** What buf curl prints, success or not, as JSON. */
async function bufCurl(rpc: string, request: object, ...more: string[]): Promise<any> {
  const { stdout, stderr } = await run(
    join(root, "node_modules/.bin/buf"),
    [
      "curl",
      "--schema",
      ".",
      "--protocol",
      "connect",
      "-d",
      JSON.stringify(request),
      ...more,
      `${server.url}/service.authorization.v2.AuthorizationService/${rpc}`,
    ],
    { cwd: root },
  ).catch((error: { stdout: string; stderr: string }) => error);
  return JSON.parse(stdout || stderr);
}

const authorized = () => ["-H", `Authorization: Bearer ${token}`];

test("buf curl lists what a plain POST lists", async () => {
  const request = { filters: [{ projectId: { id: "shop" } }], pagination: { limit: 3, asc: true } };
  const expected = (await server.call("ListAuthorizations", request, { token })).body;
  const printed = await bufCurl("ListAuthorizations", request, ...authorized(), "--emit-defaults");
  expect(withoutNulls(printed)).toEqual(expected);
});

/** buf curl prints null for a message that isn't set. */
const withoutNulls = (printed: unknown) =>
  JSON.parse(JSON.stringify(printed), (_, value) => (value === null ? undefined : value));

test("buf curl shows the code and the details of a refusal", async () => {
  const unknown = await bufCurl("DeleteAuthorization", { id: "never" }, ...authorized());
  expect(unknown).toMatchObject({
    code: "not_found",
    details: [{ type: "google.rpc.ErrorInfo", debug: { reason: "AUTHORIZATION_NOT_FOUND" } }],
  });
  expect(await bufCurl("ListAuthorizations", {})).toMatchObject({
    code: "unauthenticated",
    details: [{ debug: { reason: "UNAUTHENTICATED", domain: "authorization.service" } }],
  });
  const broken = await bufCurl("CreateAuthorization", {}, ...authorized());
  expect(broken).toMatchObject({ code: "invalid_argument", details: [{ type: "buf.validate.Violations" }] });
});
