import { AuthorizationHistoryService, AuthorizationService, CallerService, State } from "@authorization-service/client";
import { keepCopy } from "@authorization-service/client/copy";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";

const transport = createConnectTransport({
  baseUrl: process.env.BASE_URL ?? "http://127.0.0.1:8080",
  httpVersion: "2",
  // Otherwise, a connection that is gone would be used again.
  pingIntervalMs: 20_000,
  interceptors: [
    (next) => (request) => {
      request.header.set("Authorization", `Bearer ${process.env.TOKEN}`);
      return next(request);
    },
  ],
});
const clients = {
  authorizations: createClient(AuthorizationService, transport),
  history: createClient(AuthorizationHistoryService, transport),
  caller: createClient(CallerService, transport),
};
for await (const copy of keepCopy(clients, { where: { projectId: "shop" } })) {
  const now = new Date();
  const applying = [...copy.values()].filter(
    ({ state, expirationDate: end }) => state === State.ACTIVE && (end === undefined || timestampDate(end) > now),
  );
  console.log(`${applying.length} of ${copy.size} assignments in the Shop apply`);
}
