import { DirectoryService, type Organization, OrganizationSchema } from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { OrganizationPicker } from "../../pickers/organization-picker.tsx";
import type { IdFieldProps } from "./id-field.tsx";

/** An organization by its id. */
export function OrganizationField({ label, id, problem, onChange }: IdFieldProps) {
  const [picked, know] = useState<Organization>();
  const isUnknown = id !== "" && picked?.id !== id;
  const { data } = useQuery(
    DirectoryService.method.listOrganizations,
    { filters: [{ filter: { case: "ids", value: { ids: [id] } } }], pagination: { skipTotal: true } },
    { enabled: isUnknown },
  );
  const found = isUnknown ? (data?.organizations[0] ?? create(OrganizationSchema, { id })) : picked;
  return (
    <OrganizationPicker
      label={label}
      value={id === "" ? undefined : found}
      problem={problem}
      onChange={(organization) => {
        know(organization);
        onChange(organization?.id ?? "");
      }}
    />
  );
}
