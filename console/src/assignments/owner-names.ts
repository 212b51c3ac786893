import type { Authorization } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { isOwned } from "./columns.tsx";
import type { Names } from "./project-cell.tsx";

/**
 * The names of the organizations that granted projects, which the rows have only as ids. Undefined until they are known.
 * The reader may not know all of them.
 */
export function useOwnerNames(rows: readonly Authorization[]): Names | undefined {
  const ids = useMemo(() => {
    const granted = rows.filter((row) => !isOwned(row)).map(({ project }) => project?.organizationId ?? "");
    return [...new Set(granted)].filter(Boolean).toSorted();
  }, [rows]);
  const { data, isError } = useQuery(
    DirectoryService.method.listOrganizations,
    {
      filters: [{ filter: { case: "ids", value: { ids } } }],
      pagination: { limit: ids.length, skipTotal: true },
    },
    // Names rarely change, and each page of the table would ask for the same ones again.
    { enabled: ids.length > 0, placeholderData: keepPreviousData, staleTime: 60_000 },
  );
  return useMemo(() => {
    if (isError) return new Map();
    return data && new Map(data.organizations.map(({ id, name }) => [id, name]));
  }, [data, isError]);
}
