import type {
  OrganizationsSearchFilter,
  ProjectsSearchFilter,
  UsersSearchFilter,
} from "../../../gen/service/directory/v1/look_up_pb.ts";
import { toValue } from "./authorizations.ts";

/** The filter must have passed validation. The compiler can't know that its case and its value belong together. */
export function toLookUpFilter<Filter>({
  filter,
}: OrganizationsSearchFilter | ProjectsSearchFilter | UsersSearchFilter): Filter {
  if (filter.case === undefined) throw new Error("a filter without a kind passed validation");
  return { kind: filter.case, ...toValue(filter.value) } as Filter;
}
