import {
  type Authorization,
  AuthorizationSchema,
  ErrorInfoSchema,
  type GetCallerResponse,
  GetCallerResponseSchema,
  State,
} from "@authorization-service/client";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError } from "@connectrpc/connect";

export const everything = callerWith({ case: "instance", value: true });

type Scope = NonNullable<
  NonNullable<
    NonNullable<NonNullable<MessageInitShape<typeof GetCallerResponseSchema>["permissions"]>[number]["sources"]>[number]
  >["scope"]
>["scope"];

/** A caller with one administrator entry, which gives the permissions. */
export function callerWith(
  scope: NonNullable<Scope>,
  permissions = ["user.grant.read", "user.grant.write", "user.grant.delete"],
): GetCallerResponse {
  return create(GetCallerResponseSchema, {
    user: { id: "carol", displayName: "Carol" },
    permissions: permissions.map((permission) => ({ permission, sources: [{ scope: { scope }, roles: ["OWNER"] }] })),
  });
}

export function assignment(
  id: string,
  more: Exclude<MessageInitShape<typeof AuthorizationSchema>, Authorization> = {},
): Authorization {
  return create(AuthorizationSchema, {
    id,
    creationDate: timestampFromMs(1_000),
    changeDate: timestampFromMs(1_000),
    user: { id: `user-${id}`, displayName: `Person ${id}`, preferredLoginName: `${id}@acme.example` },
    project: { id: "shop", name: "Shop", organizationId: "acme" },
    organization: { id: "acme", name: "Acme" },
    state: State.ACTIVE,
    roles: [{ key: "seller", displayName: "Seller", group: "staff" }],
    ...more,
  });
}

export function refusal(reason: string, code: Code, metadata: Record<string, string> = {}): ConnectError {
  const info = { reason, domain: "authorization.service", metadata };
  return new ConnectError(reason, code, undefined, [{ desc: ErrorInfoSchema, value: info }]);
}

/** Nobody answers. */
export function away(): ConnectError {
  return new ConnectError("fetch failed", Code.Unavailable);
}
