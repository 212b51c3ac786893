import { test } from "vitest";
import { administrator } from "../support/assign.ts";
import { callText, sendRaw } from "../support/raw-http.ts";
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
  const headers = { "content-length": "1000000" };
  const begun = callText(token, { rpc: "directory.v1.DirectoryService/ApplyChanges", sent: "", headers });
  expectRefusal(await sendRaw(server.url, begun), refusal);
});
