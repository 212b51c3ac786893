import type { ServiceImpl } from "@connectrpc/connect";
import type { CallerService } from "../../gen/service/authorization/v2/caller_service_pb.ts";
import type { AccessStore } from "../authorization/access-store.ts";
import { explainAccess } from "./explain-access.ts";
import { getCaller } from "./get-caller.ts";

/** Every RPC of the service and the function that answers it. */
export function callerService(store: AccessStore): ServiceImpl<typeof CallerService> {
  return {
    explainAccess: explainAccess(store),
    getCaller: getCaller(store),
  };
}
