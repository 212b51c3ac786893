import {
  DirectoryService,
  ListedProjectSchema,
  OrganizationSchema,
  UserSchema,
} from "@authorization-service/client/directory";
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import type { keepPreviousData } from "@tanstack/react-query";
import { withIds } from "./requests.ts";

type Request = { readonly filters: readonly object[]; readonly pagination: object; readonly assignable?: boolean };
type Options = { readonly enabled: boolean; readonly placeholderData?: typeof keepPreviousData };
type Listed = { readonly pagination?: { readonly nextPageToken: string } | undefined };

/** How things of one kind are looked up. All kinds take the same filters. */
export type LookUp<Item> = ReturnType<typeof lookUp<DescMessage, DescMessage, Item>>;

function lookUp<Asked extends DescMessage, Answer extends DescMessage, Item>(
  method: DescMethodUnary<Asked, Answer>,
  itemsOf: (answer: MessageShape<Answer>) => readonly Item[],
  bare: (id: string) => Item,
) {
  return {
    useList(request: Request, options: Options) {
      const query = useQuery(method, request as unknown as MessageInitShape<Asked>, options);
      const answer = query.data as MessageShape<Answer> | undefined;
      const { pagination } = (answer ?? {}) as Listed;
      return { query, items: answer && itemsOf(answer), isMore: (pagination?.nextPageToken ?? "") !== "" };
    },
    /** Those with these ids. `items` is undefined until the service has answered, or if nothing is asked for. */
    useFound(ids: readonly string[]) {
      const asked = withIds(ids) as unknown as MessageInitShape<Asked>;
      const { data, isLoading } = useQuery(method, asked, { enabled: ids.length > 0 });
      return { items: data && itemsOf(data as MessageShape<Answer>), isLoading };
    },
    /** What stands for one that isn't found. */
    bare,
  };
}

const { listUsers, listProjects, listOrganizations } = DirectoryService.method;

export const users = lookUp(
  listUsers,
  (answer) => answer.users,
  (id) => create(UserSchema, { id }),
);
export const projects = lookUp(
  listProjects,
  (answer) => answer.projects,
  (id) => create(ListedProjectSchema, { id }),
);
export const organizations = lookUp(
  listOrganizations,
  (answer) => answer.organizations,
  (id) => create(OrganizationSchema, { id }),
);

export const lookUps = { user: users, project: projects, organization: organizations };
