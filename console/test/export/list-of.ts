import {
  type Authorization,
  AuthorizationSchema,
  AuthorizationService,
  ErrorInfoSchema,
  type ListAuthorizationsRequest,
  State,
} from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createRouterTransport, type Transport } from "@connectrpc/connect";

export function assignment(index: number, displayName = `User ${index}`): Authorization {
  return create(AuthorizationSchema, {
    id: `a-${index}`,
    user: { id: `u-${index}`, displayName, preferredLoginName: `u-${index}@acme.example`, organizationId: "globex" },
    organization: { id: "acme", name: "Acme" },
    project: { id: "shop", name: "Shop", organizationId: "acme" },
    roles: [
      { key: "auditor", displayName: "Auditor" },
      { key: "seller", displayName: "" },
    ],
    state: State.ACTIVE,
    creationDate: timestampFromMs(Date.UTC(2026, 0, 1)),
    changeDate: { seconds: 1_767_225_600n, nanos: 123_456_000 },
    expirationDate: timestampFromMs(Date.UTC(2026, 11, 28)),
  });
}

export function refusal(code: Code, reason: string, metadata: Record<string, string> = {}): ConnectError {
  return new ConnectError(reason, code, undefined, [
    { desc: ErrorInfoSchema, value: { reason, domain: "authorization.service", metadata } },
  ]);
}

/**
 * A service with a list of that many assignments, that keeps what it was asked. `before` is called before each answer
 * with how many requests there were, and may throw or wait.
 */
export function listOf(
  total: number,
  { maximum = 1000, before = async () => {} }: { maximum?: number; before?: (request: number) => Promise<void> } = {},
): { transport: Transport; asked: ListAuthorizationsRequest[] } {
  const asked: ListAuthorizationsRequest[] = [];
  const transport = createRouterTransport(({ rpc }) =>
    rpc(AuthorizationService.method.listAuthorizations, async (request) => {
      asked.push(request);
      await before(asked.length);
      const { limit = 0, pageToken = "", skipTotal = false } = request.pagination ?? {};
      if (limit > maximum) {
        throw refusal(Code.InvalidArgument, "LIMIT_EXCEEDED", { limit: `${limit}`, maximum: `${maximum}` });
      }
      const from = Number(pageToken);
      const to = Math.min(total, from + limit);
      return {
        pagination: {
          totalResult: skipTotal ? 0 : total,
          appliedLimit: limit,
          nextPageToken: to < total ? `${to}` : "",
        },
        authorizations: Array.from({ length: to - from }, (_, index) => assignment(from + index)),
      };
    }),
  );
  return { transport, asked };
}
