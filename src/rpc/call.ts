import type { IncomingMessage } from "node:http";
import { type ContextValues, createContextKey, createContextValues } from "@connectrpc/connect";
import { type ActingUser, newActor } from "../authorization/actor.ts";
import type { Caller } from "../authorization/permissions.ts";
import type { RememberedCaller } from "../identity/remembered-callers.ts";
import type { Identified } from "../identity/store.ts";
import type { OpenRequest } from "../limits/limits.ts";
import type { Log, Observation } from "./observer.ts";

/** One call of an RPC: what becomes known of it between its headers and its response. */
export type Call = {
  readonly request: IncomingMessage;
  /** Its lines carry the request's id. */
  log: Log;
  /** Undefined if nothing is observed. */
  observation?: Observation;
  /** Aborts when the client has gone, or the default time is over. */
  readonly over: AbortController;
  /** Aborts with `over`, and at the end of the time that the client has set. */
  signal: AbortSignal;
  /** When its time is over, by performance.now(). */
  endsAt?: number;
  /** Ends its time, where the library doesn't. */
  timer?: NodeJS.Timeout;
  /** Looks up a remembered caller whose body is late. */
  lateBody?: NodeJS.Timeout;
  /** The caller, unknown until the gate has found it, with its credentials. */
  identified?: Identified;
  /** When it was found, by performance.now(). */
  identifiedAt: number;
  /** If the caller was taken over from an earlier request. */
  remembered?: RememberedCaller | undefined;
  /** What was read of its body, and whether that is all, so that it can be answered again. */
  readonly read: { readonly chunks: Uint8Array[]; isAll: boolean; isLarge: boolean };
  /** Whether it is answered again, because its remembered caller no longer holds. */
  isRepeated?: boolean;
  /** What it holds of what is limited. */
  readonly held: OpenRequest;
  /** Whether the RPC was answered without an error. */
  hasSucceeded: boolean;
  /** The reason why it ended otherwise. */
  failure?: unknown;
};

const callKey = createContextKey<Call | undefined>(undefined);

/** What a call starts with, as Connect's context values. */
export function beginCall(request: IncomingMessage, held: OpenRequest, log: Log): ContextValues {
  const over = new AbortController();
  return createContextValues().set(callKey, {
    request,
    held,
    log,
    over,
    signal: over.signal,
    read: { chunks: [], isAll: false, isLarge: false },
    identifiedAt: 0,
    hasSucceeded: false,
  });
}

export function callOf(values: ContextValues): Call {
  const call = values.get(callKey);
  if (call === undefined) throw new Error("an RPC was called without its context");
  return call;
}

/** The caller of a request. Every RPC has one, because the gate lets no other requests through. */
export function callerOf(context: { readonly values: ContextValues }): Caller {
  const { identified } = callOf(context.values);
  if (identified === undefined) throw new Error("an RPC was reached without passing the gate");
  return identified.caller;
}

/** The caller, who makes a change. The line of the request in the log names the change, too. */
export function actorOf(context: { readonly values: ContextValues }, reason: string): ActingUser {
  const actor = newActor(callerOf(context).userId, reason);
  const { observation } = callOf(context.values);
  if (observation !== undefined) observation.change = actor.requestId;
  return actor;
}
