import type { Interceptor } from "@connectrpc/connect";
import { OverviewService } from "../../../gen/service/authorization/v2/overview_service_pb.ts";
import { callOf } from "../call.ts";
import { mostRows } from "../messages/page.ts";
import { filtersIn } from "./nested-filters.ts";

/** No one who looks for something has more filters. */
const mostFilters = 10;

type Message = { readonly filters?: readonly unknown[]; readonly pagination?: { readonly limit: number } };

/**
 * Lets requests wait for their caller's turn that take much of a server: those with many filters, for large pages, and for
 * overviews that have to be counted.
 */
export const takeDearTurn: Interceptor = (next) => async (request) => {
  const { input, name } = request.method;
  if (!request.stream) {
    const { filters = [], pagination } = request.message as unknown as Message;
    const nested = input.field.filters && filtersIn(input, input.field.filters, request.message);
    const count = nested?.filters.length ?? filters.length;
    const most = name === OverviewService.method.getOverview.name ? 0 : mostFilters;
    const isDear = count > most || (pagination?.limit ?? 0) > mostRows;
    if (isDear) await callOf(request.contextValues).held.takeDearTurn(request.signal);
  }
  return next(request);
};
