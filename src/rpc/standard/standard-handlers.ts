import type { DescService } from "@bufbuild/protobuf";
import { createServiceImplSpec, type ServiceImpl } from "@connectrpc/connect";
import { createUniversalServiceHandlers, type UniversalHandler } from "@connectrpc/connect/protocol";
import { createHandlerFactory as connectFactory } from "@connectrpc/connect/protocol-connect";
import { createHandlerFactory as grpcFactory } from "@connectrpc/connect/protocol-grpc";
import { createHandlerFactory as grpcWebFactory } from "@connectrpc/connect/protocol-grpc-web";
import { compressionGzip } from "@connectrpc/connect-node";
import { file_google_rpc_error_details } from "../../../gen/google/rpc/error_details_pb.ts";
import { Health } from "../../../gen/grpc/health/v1/health_pb.ts";
import { ServerReflection } from "../../../gen/grpc/reflection/v1/reflection_pb.ts";
import { type Counting, countHere } from "../door/counting.ts";
import { jsonOptions } from "../door/encoding.ts";
import type { Observer } from "../door/observer.ts";
import { describeFiles } from "./described-files.ts";
import { health, type Readiness } from "./health.ts";
import { observeCalls } from "./observe-calls.ts";
import { boundOpenCalls } from "./open-streams.ts";
import { reflection } from "./reflection.ts";
import type { StandardOptions } from "./standard-options.ts";

/** A handler of Connect's library, and the path it answers. */
type LibraryHandler = { readonly path: string; readonly handler: UniversalHandler };

/** The former name of reflection, which many tools still use. Its messages have the same fields. */
const formerReflection = "grpc.reflection.v1alpha.ServerReflection";

/**
 * The services that gRPC's own tools expect of a server. Anyone may call them. Connect's library answers them, because
 * they stream.
 *
 * @param services every other service
 * @param aliases other names of services, each with the service's own name
 */
export function standardHandlers(
  enabled: StandardOptions,
  services: readonly DescService[],
  aliases: ReadonlyMap<string, string>,
  readiness: Readiness,
  observer: Observer | undefined,
  counting: Counting = countHere,
): LibraryHandler[] {
  const own = [...services, ...(enabled.health ? [Health] : []), ...(enabled.reflection ? [ServerReflection] : [])];
  const known = new Map<string, DescService>();
  for (const [alias, name] of [...aliases, [formerReflection, ServerReflection.typeName] as const]) {
    const service = own.find(({ typeName }) => typeName === name);
    if (service !== undefined) known.set(alias, service);
  }
  const names = [...own.map(({ typeName }) => typeName), ...known.keys()];
  const found: LibraryHandler[] = [];
  if (enabled.health) {
    for (const handler of handlersOf(Health, health(names, readiness), observer, counting))
      found.push({ path: handler.requestPath, handler });
  }
  if (enabled.reflection) {
    const files = describeFiles(own, known, [file_google_rpc_error_details]);
    for (const handler of handlersOf(ServerReflection, reflection(files), observer, counting)) {
      const formerPath = `/${formerReflection}/${handler.method.name}`;
      found.push({ path: handler.requestPath, handler }, { path: formerPath, handler });
    }
  }
  return found;
}

function handlersOf<Service extends DescService>(
  service: Service,
  implementation: ServiceImpl<Service>,
  observer: Observer | undefined,
  counting: Counting,
): UniversalHandler[] {
  const spec = createServiceImplSpec<Service>(service, implementation as Partial<ServiceImpl<Service>>);
  return createUniversalServiceHandlers(spec, protocols(observer, boundOpenCalls(counting, service.typeName)));
}

/** Requests name a service, a symbol or a file. */
const longestRequest = 16_384;

/** Every protocol, with bounds for callers without credentials. */
function protocols(observer: Observer | undefined, requestGate: ReturnType<typeof boundOpenCalls>) {
  const options = {
    acceptCompression: [compressionGzip],
    // Answers are never compressed: anyone could keep the processor busy with that.
    compressMinBytes: 0xffffffff,
    readMaxBytes: longestRequest,
    // Timers can't be longer.
    maxTimeoutMs: 2 ** 31 - 1,
    jsonOptions,
    interceptors: [observeCalls(observer)],
    requestGate,
  };
  return [connectFactory(options), grpcFactory(options), grpcWebFactory(options)];
}
