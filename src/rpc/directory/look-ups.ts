import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type {
  OrganizationsSearchFilter,
  ProjectsSearchFilter,
  UsersSearchFilter,
} from "../../../gen/service/directory/v1/look_up_pb.ts";
import type { PaginationRequest } from "../../../gen/service/filter/v2/filter_pb.ts";
import type { LookUpPage, NamePosition } from "../../directory/look-ups.ts";
import { toTextMatch } from "../messages/authorizations.ts";
import { askedPage, bytesOf, listId, type PageLimits, type Positions } from "../messages/page.ts";

/**
 * The requested page of a look-up.
 *
 * @param name distinguishes the list from other look-ups
 */
export function askedLookUp<Filter extends DescMessage>(
  name: string,
  schema: Filter,
  request: { pagination?: PaginationRequest | undefined; filters: readonly MessageShape<Filter>[] },
  limits: PageLimits,
) {
  const list = () => listId(name, ...bytesOf(schema, request.filters));
  const { part, tell } = askedPage(request.pagination, limits, list, names);
  return { query: part, tell: ({ total, next }: Pick<LookUpPage<unknown>, "total" | "next">) => tell(total, next) };
}

/** The filter must have passed validation. The compiler can't know that its case and its value belong together. */
export function toFilter<Filter>({
  filter,
}: OrganizationsSearchFilter | ProjectsSearchFilter | UsersSearchFilter): Filter {
  if (filter.case === undefined) throw new Error("a filter without a kind passed validation");
  return { kind: otherNames[filter.case] ?? filter.case, ...toValue(filter.value) } as Filter;
}

/** What the domain calls some filters. */
const otherNames: Readonly<Record<string, string>> = {
  inOrganizationId: "organizationId",
  preferredLoginName: "loginName",
};

type Searched = NonNullable<(ProjectsSearchFilter | UsersSearchFilter)["filter"]["value"]>;

function toValue(value: Searched) {
  if ("ids" in value) return { ids: value.ids };
  if ("id" in value) return { id: value.id };
  return "method" in value ? { match: toTextMatch(value.text, value.method) } : { text: value.text };
}

const names: Positions<NamePosition, [string, string, string]> = {
  count: 3,
  write: ({ name, id, organizationId }) => [name, id, organizationId],
  read: ([name, id, organizationId]) => ({ name, id, organizationId }),
};
