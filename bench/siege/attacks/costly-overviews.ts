import type { Attack } from "../attack.ts";
import { keepAsking } from "../connections.ts";
import { call } from "../requests.ts";

export const costlyOverviews: Attack = {
  what: "an organization's owner asks for overviews that have to be counted, 100 at once",
  begin({ port, tokens }) {
    const filters = [{ userDisplayName: { displayName: "a", method: "TEXT_FILTER_METHOD_CONTAINS_IGNORE_CASE" } }];
    const message = { filters, top: 100, days: 366 };
    keepAsking(100, port, call("/service.authorization.v2.OverviewService/GetOverview", tokens.organization, message));
  },
};
