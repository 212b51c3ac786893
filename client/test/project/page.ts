// A page's script: what is bundled for browsers.

import { AuthorizationService, ErrorInfoSchema } from "@authorization-service/client";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { myRoles } from "../../examples/from-a-web-page.ts";

export { myRoles };

/** The code and the reason that deleting what does not exist is refused with, asked in binary. */
export async function deleteNothing(baseUrl: string, token: string): Promise<(string | undefined)[]> {
  const client = createClient(AuthorizationService, createConnectTransport({ baseUrl, useBinaryFormat: true }));
  try {
    await client.deleteAuthorization({ id: "nothing" }, { headers: { Authorization: `Bearer ${token}` } });
    return [];
  } catch (reason) {
    const error = ConnectError.from(reason);
    return [Code[error.code], ...error.findDetails(ErrorInfoSchema).map((info) => info.reason)];
  }
}
