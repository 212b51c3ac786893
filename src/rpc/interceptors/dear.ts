import type { Interceptor } from "@connectrpc/connect";
import { OverviewService } from "../../../gen/service/authorization/v2/overview_service_pb.ts";
import { callOf } from "../call.ts";
import { filtersIn } from "./nested-filters.ts";

/** No one who looks for something has more filters. */
const mostFilters = 10;

/** Marks requests whose statements may take seconds: those with many filters, and overviews that have to be counted. */
export const markDear: Interceptor = (next) => (request) => {
  const { input, name } = request.method;
  const field = input.field.filters;
  if (field !== undefined && !request.stream) {
    const { filters } = request.message as unknown as { readonly filters: readonly unknown[] };
    const count = filtersIn(input, field, request.message)?.filters.length ?? filters.length;
    const most = name === OverviewService.method.getOverview.name ? 0 : mostFilters;
    callOf(request.contextValues).held.isDear = count > most;
  }
  return next(request);
};
