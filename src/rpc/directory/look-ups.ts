import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import type { PaginationRequest } from "../../../gen/service/filter/v2/filter_pb.ts";
import type { LookUpPage, NamePosition } from "../../directory/look-ups.ts";
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

const names: Positions<NamePosition, [string, string, string]> = {
  count: 3,
  write: ({ name, id, organizationId }) => [name, id, organizationId],
  read: ([name, id, organizationId]) => ({ name, id, organizationId }),
};
