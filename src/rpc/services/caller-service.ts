import type { ServiceImpl } from "@connectrpc/connect";
import type { CallerService } from "../../../gen/service/authorization/v2/caller_service_pb.ts";
import type { AccessStore } from "../../authorization/access-store.ts";
import { explainAccess } from "../access/explain-access.ts";
import { getCaller } from "../access/get-caller.ts";

export function callerService(store: AccessStore): ServiceImpl<typeof CallerService> {
  return { explainAccess: explainAccess(store), getCaller: getCaller(store) };
}
