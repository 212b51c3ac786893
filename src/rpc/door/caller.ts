import type { DescMethod } from "@bufbuild/protobuf";
import { createContextKey, type HandlerContext } from "@connectrpc/connect";
import { DirectoryService } from "../../../gen/service/directory/v1/directory_service_pb.ts";
import { type Caller, requireAnyDirectoryPermission } from "../../authorization/permissions.ts";
import { authenticate, type Credentials } from "../../identity/authenticate.ts";
import type { Call } from "./call.ts";
import type { FairShare } from "./fair-share.ts";
import { observationOf } from "./observer.ts";
import type { CountRequest } from "./rate-limit.ts";
import { answering } from "./refusals.ts";

type Known = { readonly caller: Caller; readonly since: number };
const callerKey = createContextKey<Known | undefined>(undefined);

/** What some RPCs need at least, whatever the request says. */
const forDirectoryWriters = new Map<DescMethod, (caller: Caller) => void>([
  [DirectoryService.method.applyChanges, requireAnyDirectoryPermission],
]);

/** How old a caller's rights may be when work on its request begins, in milliseconds. */
const freshForMs = 1_000;

/**
 * The gate that every RPC passes before its body is read. It finds the caller, or refuses with UNAUTHENTICATED before
 * anything else about the request is looked at. Callers who can change nothing of the directory are also refused here,
 * because reading a thousand changes takes time.
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
      await share.enter(userId, call.values);
      forDirectoryWriters.get(call.method)?.(callerOf(call));
    });
}

/**
 * Reads the caller's rights again if its body took long to arrive. Otherwise a client could hold its body back to keep
 * rights that were taken away in the meantime.
 */
export function renewCaller(credentials: Credentials): (call: Call) => Promise<void> | undefined {
  return (call) => {
    const known = call.values.get(callerKey);
    const isFresh = known !== undefined && performance.now() - known.since <= freshForMs;
    return isFresh ? undefined : learnCaller(credentials, call);
  };
}

async function learnCaller(credentials: Credentials, { headers, values, signal }: Call): Promise<void> {
  const observation = observationOf(values);
  const caller = await authenticate(credentials, headers.authorization ?? null, signal, (why) => {
    if (observation !== undefined) observation.unacceptable = why;
  });
  values.set(callerKey, { caller, since: performance.now() });
  if (observation !== undefined) observation.caller = caller.userId;
}

/** The caller of a request. Every RPC has one, because the gate lets no other requests through. */
export function callerOf(context: Pick<HandlerContext, "values">): Caller {
  const known = context.values.get(callerKey);
  if (known === undefined) throw new Error("an RPC was reached without passing the gate");
  return known.caller;
}
