// Only type-checked: what TypeScript knows about the client, and the mistakes it finds.

import {
  type Authorization,
  AuthorizationSchema,
  type AuthorizationService,
  type ListAuthorizationsRequest,
  State,
} from "@authorization-service/client";
import type { Authorization as Assigned } from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";

export const authorization: Authorization = create(AuthorizationSchema, { id: "a1", state: State.ACTIVE });

export async function total(client: Client<typeof AuthorizationService>): Promise<number | undefined> {
  const { pagination } = await client.listAuthorizations({ pagination: { offset: 10n } });
  return pagination?.totalResult;
}

export function filterCase({ filters }: ListAuthorizationsRequest): "userId" | undefined {
  const [first] = filters;
  return first?.filter.case === "userId" ? first.filter.case : undefined;
}

export async function mistakes(client: Client<typeof AuthorizationService>): Promise<void> {
  // @ts-expect-error: no such RPC
  await client.listRoles({});
  // @ts-expect-error: no such field
  await client.deleteAuthorization({ authorizationId: "a1" });
  // @ts-expect-error: no such filter
  await client.listAuthorizations({ filters: [{ filter: { case: "userName", value: { id: "ann" } } }] });
  // @ts-expect-error: a state is no text
  create(AuthorizationSchema, { state: "STATE_ACTIVE" });
}

// @ts-expect-error: an authorization that is read is not one that is put into the directory
export const assigned: Assigned = authorization;
