import { CallerService, type GetCallerResponse } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { justNow } from "./session/queries.ts";

export function useCallerQuery() {
  return useQuery(CallerService.method.getCaller, {}, { staleTime: justNow });
}

/** The person who is signed in, with their permissions; undefined until the service has answered. */
export function useCaller(): GetCallerResponse | undefined {
  return useCallerQuery().data;
}
