import { type Authorization, AuthorizationSchema, State } from "@authorization-service/client";
import type { ListOrganizationsRequest, ListUsersRequest } from "@authorization-service/client/directory";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { ConnectError } from "@connectrpc/connect";
import { vi } from "vitest";
import type { FakeService } from "../support/console.tsx";

export const acme = { id: "acme", name: "Acme" };
export const globex = { id: "globex", name: "Globex" };
export const ann = {
  id: "u-ann",
  displayName: "Ann Keller",
  preferredLoginName: "ann@acme.example",
  organizationId: "acme",
};
export const shop = {
  id: "p-shop",
  name: "Shop",
  organizationId: "acme",
  roles: [
    { key: "seller", displayName: "Seller", group: "staff" },
    { key: "auditor", displayName: "Auditor", group: "control" },
    { key: "guest", displayName: "", group: "" },
  ],
  totalRoles: 3,
  grants: [{ id: "g-1", organization: globex, roleKeys: ["auditor"] }],
  totalGrants: 1,
};

type Told = Exclude<MessageInitShape<typeof AuthorizationSchema>, Authorization>;

/** An assignment of Ann, for Shop in Acme. */
export function assignment(told: Told = {}): Authorization {
  return create(AuthorizationSchema, {
    id: "a-1",
    user: ann,
    organization: acme,
    project: { id: shop.id, name: shop.name, organizationId: "acme" },
    roles: [{ key: "seller", displayName: "Seller" }],
    state: State.ACTIVE,
    ...told,
  });
}

export function idsIn({ filters }: ListUsersRequest | ListOrganizationsRequest): readonly string[] | undefined {
  return filters.flatMap(({ filter }) => (filter.case === "ids" ? [filter.value.ids] : []))[0];
}

/** A service that knows the things above, and answers with an empty list to everything else. */
export function world(): FakeService {
  const page = (totalResult: number) => ({ totalResult, nextPageToken: "" });
  const among = <Thing extends { id: string }>(things: Thing[], ids: readonly string[] | undefined) =>
    things.filter(({ id }) => ids === undefined || ids.includes(id));
  return {
    directory: {
      listUsers: (request) => ({ users: among([ann], idsIn(request)), pagination: page(1) }),
      listOrganizations: (request) => ({
        organizations: among([acme, globex], idsIn(request)),
        pagination: page(2),
      }),
      listAdministrators: () => ({ entries: [], pagination: page(0) }),
      listProjects: () => ({ projects: [shop], pagination: page(1) }),
    },
    authorizations: { listAuthorizations: () => ({ authorizations: [assignment()], pagination: page(1) }) },
    history: { listAuthorizationEvents: () => ({ events: [], pagination: page(0) }) },
    overview: { getOverview: () => ({}) },
  };
}

/** A service that refuses once, and then answers. */
export function failingOnce<Answer>(answer: () => Answer): () => Answer {
  return vi.fn(answer).mockImplementationOnce(() => {
    throw new ConnectError("it broke");
  });
}
