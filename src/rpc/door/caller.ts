import type { DescMethod } from "@bufbuild/protobuf";
import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import { type Caller, requireDirectoryPermission } from "../../authorization/permissions.ts";
import { authenticate, type Credentials } from "../../identity/authenticate.ts";
import type { Call } from "./call.ts";
import type { FairShare } from "./fair-share.ts";
import { observationOf } from "./observer.ts";
import type { CountRequest } from "./rate-limit.ts";
import { answering } from "./refusals.ts";

type Known = { readonly caller: Caller; readonly since: number };
const callerKey = createContextKey<Known | undefined>(undefined);

/** What nobody without `directory.write` may ask, whatever the request says. */
const forDirectoryWriters = new Set<DescMethod>([
  DirectoryService.method.applyChanges,
  DirectoryService.method.listAdministrators,
]);

/** How old what is known of a caller may be when its request is worked on, in milliseconds. */
const freshForMs = 1_000;

/**
 * The gate every RPC passes before its body is read: learns who asks, or refuses with UNAUTHENTICATED
 * before anything else about the request is looked at. What nobody without `directory.write` may do, whatever the
 * request says, is refused here too: to read a thousand changes takes its time.
 */
export function requireCaller(
  credentials: Credentials,
  { countRequest, share }: { countRequest: CountRequest | undefined; share: FairShare },
): (call: Call) => Promise<void> {
  return (call) =>
    answering(call, async () => {
      await learnCaller(credentials, call);
      const { userId } = callerOf(call);
      await countRequest?.(userId);
      share.enter(userId, call.values);
      if (forDirectoryWriters.has(call.method)) requireDirectoryPermission(callerOf(call));
    });
}

/**
 * Asks again who a caller is when its body took its time: rights that were taken away meanwhile would otherwise last as
 * long as a client cares to hold its body back.
 */
export function renewCaller(credentials: Credentials): (call: Call) => Promise<void> | undefined {
  return (call) => {
    const known = call.values.get(callerKey);
    const isFresh = known !== undefined && performance.now() - known.since <= freshForMs;
    return isFresh ? undefined : learnCaller(credentials, call);
  };
}

async function learnCaller(credentials: Credentials, { headers, values, signal }: Call): Promise<void> {
  const caller = await authenticate(credentials, headers.authorization ?? null, signal);
  values.set(callerKey, { caller, since: performance.now() });
  const observation = observationOf(values);
  if (observation !== undefined) observation.caller = caller.userId;
}

/** Who asks. Every RPC has a caller, because the gate lets no other through. */
export function callerOf(context: Pick<HandlerContext, "values">): Caller {
  const known = context.values.get(callerKey);
  if (known === undefined) throw new Error("an RPC was reached without passing the gate");
  return known.caller;
}
