import type { DescService } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, type ConnectRouterOptions } from "@connectrpc/connect";
import { file_google_rpc_error_details } from "../../../gen/google/rpc/error_details_pb.ts";
import { Health } from "../../../gen/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import { opened, wrapSince } from "../around.ts";
import { inTime, longestTimeoutMs, type TimeLimits } from "../gate.ts";
import { answerErrors } from "../interceptors/errors.ts";
import type { Observer } from "../observer.ts";
import { describeFiles } from "./described-files.ts";
import { health, type Readiness } from "./health.ts";
import { reflection } from "./reflection.ts";

/** The former name of reflection, which many tools still use. Its messages have the same fields. */
export const formerReflection = ["grpc.reflection.v1alpha.ServerReflection", ServerReflection.typeName] as const;

/** Requests name a service, a symbol or a file. */
const longestRequest = 16_384;

/** How long a client of a stream may send nothing, in milliseconds, unless it only listens. */
const idleMs = { health: 10_000, reflection: 60_000 };

/** Which of gRPC's own services are served. */
export type StandardOptions = { readonly health: boolean; readonly reflection: boolean };

type Options = {
  readonly enabled: StandardOptions;
  /** Every other service. */
  readonly services: readonly DescService[];
  /** Other names of services, each with the service's own name. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly readiness: Readiness;
  readonly observer: Observer | undefined;
  /** Of calls without a time of their own. */
  readonly limits: TimeLimits;
  /** Aborts when the server starts to stop. */
  readonly stopping: AbortSignal;
};

/** Adds the services that gRPC's own tools expect of a server. Anyone may call them. */
export function addStandardServices(router: ConnectRouter, options: Options): void {
  const { enabled, services, aliases, readiness, observer } = options;
  const own = [...services, ...(enabled.health ? [Health] : []), ...(enabled.reflection ? [ServerReflection] : [])];
  const known = new Map<string, DescService>();
  for (const [alias, name] of [...aliases, formerReflection]) {
    const service = own.find(({ typeName }) => typeName === name);
    if (service !== undefined) known.set(alias, service);
  }
  const first = router.handlers.length;
  if (enabled.health) {
    const names = [...own.map(({ typeName }) => typeName), ...known.keys()];
    // Its watches end on their own when the server stops, after they have said so.
    router.service(Health, health(names, readiness), connectOptions(options.limits));
  }
  if (enabled.reflection) {
    const files = describeFiles(own, known, [file_google_rpc_error_details]);
    const stopped = new AbortController();
    const end = () => stopped.abort(new ConnectError("the server is stopping", Code.Unavailable));
    options.stopping.addEventListener("abort", end);
    const shutdownSignal = stopped.signal;
    router.service(ServerReflection, reflection(files), { ...connectOptions(options.limits), shutdownSignal });
  }
  wrapSince(first, router, ({ service }) => ({
    mostBytes: longestRequest,
    observe: observer && opened(observer),
    idleMs: service === Health ? idleMs.health : idleMs.reflection,
  }));
}

/** With bounds for callers without credentials. */
function connectOptions(limits: TimeLimits): Partial<ConnectRouterOptions> {
  return {
    requestGate: inTime({ ...limits, maximumTimeoutMs: longestTimeoutMs }),
    requireConnectProtocolHeader: false,
    // Responses are never compressed: anyone could keep the processor busy with that.
    compressMinBytes: 0xffffffff,
    readMaxBytes: longestRequest,
    maxTimeoutMs: longestTimeoutMs,
    interceptors: [answerErrors],
  };
}
