import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingHttpHeaders } from "node:http";
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { CallOutcome, ProtocolName } from "../rpc/observer.ts";

export type Tracing = ReturnType<typeof rpcTracing>;

/** The statement's name, if it has a fixed one, and its first word. Never a value. */
export type QueryName = { readonly name: string | undefined; readonly operation: string };

/**
 * Spans that follow OpenTelemetry's semantic conventions for Connect RPC, gRPC and PostgreSQL. Loaded only if traces are
 * configured, so the other files of this folder import only its types.
 *
 * @param stop sends what is left
 */
export function rpcTracing(tracer: Tracer, stop: () => Promise<void>) {
  const current = new AsyncLocalStorage<Context>();
  const propagator = new W3CTraceContextPropagator();
  return {
    /** The SERVER span of an RPC, below the span that the caller's `traceparent` names. */
    begin(rpc: string, protocol: ProtocolName, headers: IncomingHttpHeaders) {
      const parent = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      const system = protocol === "connect" ? "connectrpc" : "grpc";
      const attributes = { "rpc.system.name": system, "rpc.method": rpc };
      const span = tracer.startSpan(rpc, { kind: SpanKind.SERVER, attributes }, parent);
      const context = trace.setSpan(parent, span);
      const { traceId, spanId } = span.spanContext();
      return {
        /** The ids that log lines carry. */
        ids: { traceId, spanId },
        // Spans below one that is not recorded are not recorded either.
        run: <T>(work: () => Promise<T>): Promise<T> => (span.isRecording() ? current.run(context, work) : work()),
        end: (outcome: CallOutcome) => endRpc(span, system, outcome),
      };
    },
    /** The span of a statement or a transaction, below that of its request. Work outside of RPCs has no span. */
    async query<T>({ name, operation }: QueryName, work: () => Promise<T>): Promise<T> {
      const parent = current.getStore();
      if (parent === undefined) return work();
      const summary = name ?? operation;
      const attributes = {
        "db.system.name": "postgresql",
        "db.operation.name": operation,
        "db.query.summary": summary,
      };
      const span = tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }, parent);
      try {
        return await current.run(trace.setSpan(parent, span), work);
      } catch (error) {
        span.setAttribute("error.type", errorType(error));
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    stop,
  };
}

/** The codes that are the server's fault. With any other, it worked as intended. */
const serverErrors = new Set(["unknown", "deadline_exceeded", "unimplemented", "internal", "unavailable", "data_loss"]);

function endRpc(span: Span, system: string, { code, reason }: CallOutcome): void {
  // gRPC spells one code differently.
  const ofGrpc = code === "canceled" ? "CANCELLED" : code.toUpperCase();
  const status = system === "grpc" ? ofGrpc : code;
  // The conventions for gRPC want the status of every call, those for Connect only the codes of errors.
  if (code !== "ok" || system === "grpc") span.setAttribute("rpc.response.status_code", status);
  if (reason !== undefined) span.setAttribute("authorization.reason", reason);
  if (serverErrors.has(code)) {
    span.setAttribute("error.type", status);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end();
}

/** The SQLSTATE, the reason of a refusal, or the class. The message could contain values. */
function errorType(error: unknown): string {
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  if (typeof reason === "string") return reason;
  if (typeof code === "string") return code;
  return error instanceof Error ? error.constructor.name : "_OTHER";
}
