import type { Authorization } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { isOwned } from "./columns.tsx";
import type { Names } from "./project-cell.tsx";

type Props = { rows: readonly Authorization[]; onKnown: (names: Names) => void };

/**
 * Finds the names of the organizations that granted projects, because the rows have only their ids. The reader may not
 * know all of them. A component of its own, because the messages of look-ups are loaded after the first view.
 */
export function OwnerNamesOf({ rows, onKnown }: Props) {
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
  useEffect(() => {
    if (data || isError) onKnown(new Map(data?.organizations.map(({ id, name }) => [id, name])));
  }, [data, isError, onKnown]);
  return null;
}
