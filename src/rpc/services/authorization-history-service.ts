import type { ServiceImpl } from "@connectrpc/connect";
import type { AuthorizationHistoryService } from "../../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import type { AuthorizationHistory } from "../../authorization/history.ts";
import { listAuthorizationEvents } from "../authorizations/list-authorization-events.ts";
import type { PageLimits } from "../messages/page.ts";

export function authorizationHistoryService(
  history: AuthorizationHistory,
  limits: PageLimits,
): ServiceImpl<typeof AuthorizationHistoryService> {
  return { listAuthorizationEvents: listAuthorizationEvents(history, limits) };
}
