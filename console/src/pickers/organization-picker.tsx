import { TextFilterMethod } from "@authorization-service/client";
import {
  DirectoryService,
  type ListOrganizationsRequestSchema,
  type Organization,
} from "@authorization-service/client/directory";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { exactFirst, type Found, mostOffered } from "./found.ts";
import { Picker, type PickerProps } from "./picker.tsx";
import type { Pickable } from "./use-search.ts";

/** Picks an organization by a part of its name or its id. */
export function OrganizationPicker(props: PickerProps<Organization>) {
  return <Picker pickable={organizations} {...props} />;
}

const organizations: Pickable<Organization> = {
  idOf: (organization) => organization.id,
  nameOf: (organization) => organization.name || organization.id,
  Row,
  useFound: useFoundOrganizations,
  plural: "organizations",
};

function Row({ item }: { item: Organization }) {
  return (
    <span className="picker-row">
      <bdi>{item.name || item.id}</bdi>
      <bdi className="muted">{item.id}</bdi>
    </span>
  );
}

function useFoundOrganizations(text: string, isOpen: boolean): Found<Organization> {
  const list = DirectoryService.method.listOrganizations;
  const isExact = isOpen && text !== "";
  const similar = useQuery(list, asked(text === "" ? [] : [named(text)]), {
    enabled: isOpen,
    placeholderData: keepPreviousData,
  });
  const byId = useQuery(list, asked([{ filter: { case: "ids", value: { ids: [text] } } }]), { enabled: isExact });
  return {
    items: exactFirst(isExact ? [byId.data?.organizations] : [], similar.data?.organizations),
    isMore: (similar.data?.pagination?.nextPageToken ?? "") !== "",
    isAsking: similar.isFetching || byId.isFetching,
    error: similar.error ?? byId.error,
  };
}

type Asked = MessageInitShape<typeof ListOrganizationsRequestSchema>;

function asked(filters: NonNullable<Asked["filters"]>): Asked {
  return { filters, pagination: { limit: mostOffered, skipTotal: true } };
}

function named(text: string): NonNullable<Asked["filters"]>[number] {
  return { filter: { case: "name", value: { text, method: TextFilterMethod.CONTAINS_IGNORE_CASE } } };
}
