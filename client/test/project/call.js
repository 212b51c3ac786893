// Plain JavaScript on Node: changes and reads with the installed client, and prints what it saw as JSON.

import {
  AuthorizationFieldName,
  AuthorizationService,
  CallerService,
  ErrorInfoSchema,
  State,
  TextFilterMethod,
} from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";

const [baseUrl = "", token = "", format = ""] = process.argv.slice(2);
const contentTypes = new Set();
const transport = createConnectTransport({
  baseUrl,
  httpVersion: "1.1",
  useBinaryFormat: format === "proto",
  interceptors: [
    (next) => (request) => {
      request.header.set("Authorization", `Bearer ${token}`);
      contentTypes.add(request.header.get("content-type"));
      return next(request);
    },
  ],
});
const directory = createClient(DirectoryService, transport);
const authorizations = createClient(AuthorizationService, transport);

const user = {
  id: `mia-${format}`,
  organizationId: "acme",
  preferredLoginName: `mia-${format}@acme.example`,
  displayName: "Mia",
};
await directory.applyChanges({ changes: [{ change: { case: "user", value: user } }] });
const assignment = { userId: user.id, projectId: "shop", organizationId: "acme", roleKeys: ["seller"] };
const { id } = await authorizations.createAuthorization(assignment);
await authorizations.deactivateAuthorization({ id });

const { pagination, authorizations: listed } = await authorizations.listAuthorizations({
  sortingColumn: AuthorizationFieldName.ID,
  pagination: { limit: 10, asc: true },
  filters: [
    { filter: { case: "state", value: { state: State.INACTIVE } } },
    {
      filter: {
        case: "userPreferredLoginName",
        value: { loginName: user.preferredLoginName.toUpperCase(), method: TextFilterMethod.EQUALS_IGNORE_CASE },
      },
    },
  ],
});
const error = await authorizations.createAuthorization(assignment).then(
  () => undefined,
  (reason) => ConnectError.from(reason),
);
const caller = createClient(CallerService, transport);
const { user: who, permissions } = await caller.getCaller({});
const explained = await caller.explainAccess({ authorizationId: id, userId: "root" });
const { administrators } = await directory.listAdministrators({});

console.log(
  JSON.stringify({
    contentTypes: [...contentTypes],
    total: pagination?.totalResult,
    listed: listed.map(({ id: its, user, roles, state }) => [
      its === id,
      user?.displayName,
      roles[0]?.displayName,
      state,
    ]),
    error: error && [
      Code[error.code],
      error.findDetails(ErrorInfoSchema).map(({ reason, metadata }) => [reason, metadata.id === id]),
    ],
    administrators: administrators.map(({ userId, scope }) => [userId, scope.case]),
    caller: [who?.id, permissions.map(({ permission }) => permission)],
    explained: [explained.own, explained.permissions.map(({ held }) => held)],
  }),
);
