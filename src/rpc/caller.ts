import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import type { Caller } from "../authorization/permissions.ts";
import { authenticate, type Credentials } from "../identity/authenticate.ts";
import { answering, type Log } from "./refusals.ts";

const callerKey = createContextKey<Caller | undefined>(undefined);

/**
 * The gate every RPC passes before its body is read: learns who asks, or refuses with UNAUTHENTICATED
 * before anything else about the request is looked at.
 */
export function requireCaller(credentials: Credentials, log: Log): (context: HandlerContext) => Promise<void> {
  return (context) =>
    answering(log, `${context.service.name}/${context.method.name}`, async () => {
      const caller = await authenticate(credentials, context.requestHeader.get("authorization"), context.signal);
      context.values.set(callerKey, caller);
    });
}

/** Who asks. Every RPC has a caller, because the gate lets no other through. */
export function callerOf(context: Pick<HandlerContext, "values">): Caller {
  const caller = context.values.get(callerKey);
  if (caller === undefined) throw new Error("an RPC was reached without passing the gate");
  return caller;
}
