import type { AuthorizationsSearchFilter } from "@authorization-service/client";

type Props = {
  filters: readonly AuthorizationsSearchFilter[];
  onChange: (filters: readonly AuthorizationsSearchFilter[]) => void;
};

/** The filters in use, and ways to change them. */
export function FilterBar({ filters }: Props) {
  return <p>{filters.length} filters</p>;
}
