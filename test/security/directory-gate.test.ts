import { test } from "vitest";
import { administrator } from "../support/assign.ts";
import { openRaw, request } from "../support/raw-http.ts";
import { denied, expectRefusal } from "../support/refusals.ts";
import { serveTests } from "../support/server.ts";

const server = await serveTests({ smallWorld: true });
// Holds as much as one can without any permission to change the directory.
const token = await administrator(server.database, {
  organizationId: "acme",
  roles: ["ORG_USER_PERMISSION_EDITOR", "ORG_OWNER_VIEWER"],
});

const refusal = denied("directory.write");

test("ApplyChanges does not read what a caller without the permission has sent, valid or not, there or not", async () => {
  for (const body of ["{", '{"nope":1}', '{"changes":[{}]}', "{}"]) {
    expectRefusal(await server.callDirectory("ApplyChanges", body, { token }), refusal);
  }
  const connection = openRaw(server.url);
  const called = { "content-type": "application/json", "connect-protocol-version": "1" };
  const headers = { host: "x", ...called, authorization: `Bearer ${token}`, "content-length": "1000000" };
  connection.send(request("POST /service.directory.v1.DirectoryService/ApplyChanges HTTP/1.1", headers));
  const [answer] = await connection.answers(1);
  connection.close();
  expectRefusal(answer as NonNullable<typeof answer>, refusal);
});
