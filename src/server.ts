import { Code, ConnectError } from "@connectrpc/connect";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import type { ConsoleFiles } from "./console/console-files.ts";
import { serveConsole } from "./console/serve-console.ts";
import { openAdmission, type Queue } from "./http/admission.ts";
import { boundConnections } from "./http/connections.ts";
import { allowOrigins } from "./http/cors.ts";
import { addHealth, healthPaths } from "./http/health.ts";
import { libraryRoute } from "./http/library-route.ts";
import { openPort, type Port, serveOn } from "./http/one-port.ts";
import { openApiFiles } from "./http/open-api.ts";
import { openReadiness, type Readiness } from "./http/readiness.ts";
import { refusalOf, refuse, refuseOverload, refuseTransport, type Served } from "./http/refuse.ts";
import { ambiguityOf, hasTooLargeHeaders, isHttp2 } from "./http/request-head.ts";
import { exactPath } from "./http/request-target.ts";
import { type Route, rpcRoute } from "./http/rpc-route.ts";
import { safeHeaders } from "./http/safe-headers.ts";
import { closeAfterLastAnswers } from "./http/stop-serving.ts";
import type { Tls } from "./http/tls.ts";
import { boundUnread } from "./http/unread-answers.ts";
import { type UnreadableRequests, unreadableRequests } from "./http/unreadable-requests.ts";
import { requestId } from "./observability/request-id.ts";
import type { ServerObserver } from "./observability/server-observer.ts";
import { watchRefusals } from "./observability/watch-refusals.ts";
import type { Rpc } from "./rpc/door/call.ts";
import { andThen, type Counting, countHere } from "./rpc/door/counting.ts";
import type { TimeLimits } from "./rpc/door/deadline.ts";
import { type RoutesOptions, rpcs } from "./rpc/routes.ts";
import { standardHandlers } from "./rpc/standard/standard-handlers.ts";
import type { StandardOptions } from "./rpc/standard/standard-options.ts";

export type ServerOptions = RoutesOptions &
  Omit<HttpOptions, "readiness"> & {
    /** Whether requests can be answered: Postgres answers and its schema is current. */
    readonly isReady: () => Promise<boolean>;
    /** Undefined: neither gRPC's health service nor its reflection is served. */
    readonly standardServices?: StandardOptions | undefined;
    /** Other names of services, each with the service's own name. */
    readonly serviceAliases?: ReadonlyMap<string, string>;
  };

/** The options of a server for any RPCs. */
type HttpOptions = {
  readonly limits: TimeLimits & { readonly maximumInFlight: number; readonly maximumConnections: number };
  readonly corsOrigins: readonly string[];
  /** Undefined: no console is served. */
  readonly consoleFiles?: ConsoleFiles | undefined;
  /** Undefined: clients connect without TLS. */
  readonly tls?: Tls | undefined;
  readonly log: FastifyBaseLogger;
  /** Called for every request. Undefined if nothing is observed. */
  readonly observer?: ServerObserver | undefined;
  readonly readiness: Readiness;
  /** By default, this process counts what is limited on its own. */
  readonly counting?: Counting | undefined;
  /** The queue for Postgres. */
  readonly queue: () => Queue;
  /** Aborts when the server starts to stop. */
  readonly stopping: AbortSignal;
};

/** The HTTP server of the service, not yet listening. */
export function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const readiness = openReadiness(options.isReady, options.stopping);
  const served = rpcs(options);
  const countUnread = boundUnread(undefined, options.counting);
  const routes = served.map((rpc) => rpcRoute(rpc, countUnread));
  for (const [alias, service] of options.serviceAliases ?? []) {
    const own = served.filter(({ method }) => method.parent.typeName === service);
    routes.push(...own.map((rpc) => rpcRoute(rpc, countUnread, alias)));
  }
  return serveRoutes([...routes, ...standardRoutes(served, options, readiness)], { ...options, readiness });
}

/** gRPC's own services: health and reflection. */
function standardRoutes(served: readonly Rpc[], options: ServerOptions, readiness: Readiness): Route[] {
  const {
    standardServices = { health: false, reflection: false },
    serviceAliases,
    observer,
    stopping,
    counting,
  } = options;
  const services = [...new Set(served.map(({ method }) => method.parent))];
  const aliases = serviceAliases ?? new Map();
  const stopped = new AbortController();
  stopping.addEventListener("abort", () => stopped.abort(new ConnectError("the server is stopping", Code.Unavailable)));
  return standardHandlers(standardServices, services, aliases, readiness, observer, counting).map(({ path, handler }) =>
    libraryRoute(path, handler, stopped.signal),
  );
}

/**
 * The HTTP server for some RPCs. Errors have the form of the client's protocol, or Connect's. A request passes the hooks
 * below in order, then rpc-route.ts passes it to src/rpc/unary.ts.
 */
export async function serveRoutes(routes: readonly Route[], options: HttpOptions): Promise<FastifyInstance> {
  const { limits, consoleFiles, observer, stopping, counting = countHere } = options;
  const longestMs = limits.maximumTimeoutMs + 5_000;
  const byPath = new Map(routes.map((route) => [route.path, route]));
  const files: ConsoleFiles = new Map([...openApiFiles, ...(consoleFiles ?? [])]);
  const served = { rpcs: byPath, readable: new Set([...healthPaths, ...files.keys()]), consoleFiles };
  const unreadable = unreadableRequests(longestMs);
  const port = openPort(longestMs, options.tls?.keyPair);
  options.tls?.follow(port.renew, options.log, stopping);
  const app = openFastify(options.log, served, unreadable, port);
  for (const [emitter, event] of [
    [port.http2.server, "sessionError"],
    [port.server, "tlsClientError"],
  ] as const) {
    // A broken connection is not a refusal.
    emitter.on(event, ({ code }: NodeJS.ErrnoException) => code !== "ECONNRESET" && observer?.unreadable(code));
  }
  closeAfterLastAnswers(port, stopping);
  const admit = await openAdmission(app, limits, options.queue, counting);
  if (observer !== undefined) watchRefusals(app, observer, refusalOf);
  // Runs before anything that may answer, such as CORS.
  app.addHook("onRequest", (request, reply, done) => {
    const isStream = isHttp2(request.raw);
    if (!isStream && !unreadable.begin(request.raw, reply.raw)) return;
    reply.headers(safeHeaders).header("x-request-id", request.id);
    if (isStream && hasTooLargeHeaders(request.raw)) {
      return refuse(reply, new ConnectError("the headers are too large", Code.ResourceExhausted), 431);
    }
    const ambiguity = ambiguityOf(request.raw);
    if (ambiguity === undefined) return done();
    if (!isStream) unreadable.giveUp(request.socket);
    if (!isStream) reply.header("connection", "close");
    refuse(reply, new ConnectError(ambiguity, Code.InvalidArgument));
  });
  await allowOrigins(app, options.corsOrigins);
  app.addHook("onRequest", (request, reply, done) => {
    if (refuseTransport(served, request, reply)) return;
    const route = byPath.get(request.url);
    const isAdmitted = route === undefined || route.isAlwaysAdmitted || admit(request, reply);
    void andThen(isAdmitted, (isSo) => (isSo ? done() : void refuseOverload(reply)));
  });
  app.setErrorHandler((error: Error, request, reply) => {
    request.log.error({ err: error }, "unexpected failure");
    return refuse(reply, new ConnectError("internal error", Code.Internal));
  });
  addHealth(app, options.readiness);
  serveConsole(app, files);
  // Bodies are read after the gate.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, _body, done) => done(null));
  for (const { path, answer } of routes) app.post(path, answer);
  boundConnections(app.server, limits.maximumConnections, counting);
  app.server.on("drop", () => observer?.unreadable("MAX_CONNECTIONS"));
  return app;
}

/** The path that the router sees for unknown targets. No route begins like this. */
const nowhere = "//";

function openFastify(
  log: FastifyBaseLogger,
  { rpcs, readable }: Served,
  unreadable: UnreadableRequests,
  port: Port,
): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: requestId,
    // Fastify's router would decode paths and ignore fragments, so it only gets to see exact paths that are served.
    rewriteUrl({ url = "" }) {
      const path = exactPath(url) ?? nowhere;
      return rpcs.has(path) || readable.has(path) ? path : nowhere;
    },
    serverFactory: (listener) => serveOn(port, listener),
    clientErrorHandler: unreadable.answerUnreadable,
    // Fastify would refuse a request during shutdown in its own format.
    return503OnClosing: false,
  });
  app.server.on("connect", unreadable.answerTunnel);
  return app;
}
