import { AuthorizationFieldName, AuthorizationService } from "@authorization-service/client";
import { createConnectQueryKey, useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import { allMatching } from "../changes/all-matching.ts";
import { asFilter } from "../filters/content.ts";

/** All assignments of a person, on all pages, asked for again after each change. */
export function useAssignmentsOf(id: string) {
  const transport = useTransport();
  return useQuery({
    queryKey: [...createConnectQueryKey({ schema: AuthorizationService, cardinality: undefined }), "all of", id],
    queryFn: ({ signal }) =>
      allMatching(
        transport,
        {
          filters: [asFilter({ case: "userId", value: { id } })],
          sortingColumn: AuthorizationFieldName.ORGANIZATION_NAME,
          asc: true,
        },
        { signal, onProgress: () => {} },
      ),
  });
}
