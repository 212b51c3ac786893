import { randomBytes } from "node:crypto";
import { signingInput } from "../../../test/support/signing.ts";
import type { Attack } from "../attack.ts";
import { connectFrom } from "../connections.ts";
import { call, lists } from "../requests.ts";

/** No key has signed it, but the service asks the issuer for the key first. */
function madeUpToken(): string {
  const input = signingInput({ alg: "ES256", kid: randomBytes(8).toString("hex") }, { sub: "anyone" });
  return `${input}.${randomBytes(64).toString("base64url")}`;
}

export const unknownKeys: Attack = {
  what: "300 JWTs a second with unknown keys, while the issuer answers after 6 s",
  begin({ port }) {
    let sent = 0;
    setInterval(() => {
      for (let count = 0; count < 30; count += 1, sent += 1) {
        const socket = connectFrom(sent, port);
        socket.once("data", () => socket.destroy()).write(call(lists, madeUpToken(), {}));
      }
    }, 100);
  },
};
