import type { IncomingMessage, RequestListener, Server } from "node:http";
import { Code, ConnectError, type ConnectRouter } from "@connectrpc/connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import { type FastifyBaseLogger, type FastifyInstance, fastify, LogController } from "fastify";
import { authzenEndpoints } from "./authzen/endpoints.ts";
import { metadataFiles } from "./authzen/metadata.ts";
import type { Tls } from "./config/tls.ts";
import type { ConsoleFiles } from "./console/console-files.ts";
import { serveConsole } from "./console/serve-console.ts";
import { allowOrigins } from "./http/cors.ts";
import { endUnread, failAsReset, giveUp, type Raw } from "./http/hang-up.ts";
import { openPort, serveOn } from "./http/one-port.ts";
import { openApiFiles } from "./http/open-api.ts";
import { openReadiness } from "./http/readiness.ts";
import { isPlainJson, refuseOverload, refuseTransport, refusing, type ServedPaths } from "./http/refuse.ts";
import { ambiguityOf, hasTooLargeHeaders, isHttp2 } from "./http/request-head.ts";
import { exactPath, ownPath } from "./http/request-target.ts";
import { safeHeaders } from "./http/safe-headers.ts";
import { closeAfterLastAnswers } from "./http/stop-serving.ts";
import { type UnreadableRequests, unreadableRequests } from "./http/unreadable-requests.ts";
import { openAdmission } from "./limits/admission.ts";
import { type LimitsOptions, type OpenRequest, openLimits } from "./limits/limits.ts";
import { requestId } from "./observability/request-id.ts";
import type { ServerObserver } from "./observability/server-observer.ts";
import { beginCall } from "./rpc/call.ts";
import type { TimeLimits } from "./rpc/gate.ts";
import { type RpcOptions, type Rpcs, rpcs } from "./rpc/router.ts";
import type { Readiness } from "./rpc/services/health.ts";
import { addStandardServices, formerReflection, type StandardOptions } from "./rpc/services/standard-services.ts";
import { watchAuthorizations } from "./watch/watch-authorizations.ts";
import { openWatching, type WatchLimits } from "./watch/watching.ts";

export type ServerOptions = Omit<RpcOptions, "watchAuthorizations" | "beside"> &
  Omit<HttpOptions, "readiness"> & {
    readonly limits: WatchLimits;
    /** Whether requests can be answered: Postgres answers and its schema is current. */
    readonly isReady: () => Promise<boolean>;
    /** Undefined: neither gRPC's health service nor its reflection is served. */
    readonly standardServices?: StandardOptions | undefined;
    /** The type of resources that the AuthZEN Authorization API takes for projects. */
    readonly authzenResourceType?: string | undefined;
  };

/** The options of a server for any RPCs. */
type HttpOptions = {
  readonly limits: TimeLimits & LimitsOptions & { readonly maximumConnections: number };
  readonly corsOrigins: readonly string[];
  /** Other names of services, each with the service's own name. */
  readonly serviceAliases?: ReadonlyMap<string, string> | undefined;
  /** The URL at which clients reach the server. Undefined: the AuthZEN Authorization API has no metadata. */
  readonly publicUrl?: string | undefined;
  /** Undefined: no console is served. */
  readonly consoleFiles?: ConsoleFiles | undefined;
  /** Undefined: clients connect without TLS. */
  readonly tls?: Tls | undefined;
  readonly log: FastifyBaseLogger;
  /** Called for every request. Undefined if nothing is observed. */
  readonly observer?: ServerObserver | undefined;
  readonly readiness: Readiness;
  /** Aborts when the server starts to stop. */
  readonly stopping: AbortSignal;
  /** Aborts when requests in flight have had their time to end, with the error for their clients. */
  readonly cutOff?: AbortSignal | undefined;
};

/** The HTTP server of the service, not yet listening. */
export function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const { standardServices, serviceAliases = new Map(), observer, limits, stopping } = options;
  const readiness = openReadiness(options.isReady, stopping);
  const beside = authzenEndpoints(options.stores, options.limits, options.authzenResourceType ?? "project");
  const { feed, callers } = options.stores;
  const watching = openWatching({ feed, callers, limits, stopping });
  const { routes, ...connect } = rpcs({ ...options, beside, watchAuthorizations: watchAuthorizations(watching) });
  const enabled = standardServices ?? { health: false, reflection: false };
  return serveRpcs(
    {
      ...connect,
      routes(router) {
        routes(router);
        const services = [...new Set(router.handlers.map(({ service }) => service))];
        const standard = { enabled, services, aliases: serviceAliases, readiness, observer, limits, stopping };
        addStandardServices(router, standard);
      },
    },
    { ...options, readiness, serviceAliases: new Map([...serviceAliases, formerReflection]) },
  );
}

/**
 * The HTTP server for some RPCs. A request passes the hooks below in order, then Connect's router, which answers it in
 * its own protocol (docs/internals/request-lifecycle.md).
 */
export async function serveRpcs({ routes, ...connect }: Rpcs, options: HttpOptions): Promise<FastifyInstance> {
  const { limits, consoleFiles, observer, stopping, serviceAliases = new Map() } = options;
  const longestMs = limits.maximumTimeoutMs + 5_000;
  const handlers = new Map<string, ConnectRouter["handlers"][number]>();
  const metadata = metadataFiles(options.publicUrl);
  const files: ConsoleFiles = new Map([...openApiFiles, ...metadata, ...(consoleFiles ?? [])]);
  const refuse = refusing(observer?.refused);
  const served = { rpcs: handlers, readable: new Set(["/healthz", "/readyz", ...files.keys()]), consoleFiles };
  const unreadable = unreadableRequests(longestMs);
  const held = openLimits<Raw>(limits, giveUp, longestMs);
  const addresses = {
    ...held,
    async mayConnect(address: string) {
      const may = await held.mayConnect(address);
      if (!may) observer?.unreadable("TOO_MANY_WASTED");
      return may;
    },
  };
  const port = openPort(longestMs, addresses, options.tls?.keyPair);
  options.tls?.follow(port.renew, options.log, stopping);
  const opened = new WeakMap<IncomingMessage, OpenRequest>();
  const app = openFastify(options.log, served, serviceAliases, unreadable, (listener) =>
    serveOn(port, listener, {
      begin: unreadable.begin,
      open(request, response) {
        const one = held.open(request.socket.remoteAddress ?? "", response);
        if (one === undefined) observer?.unreadable("TOO_MANY_OPEN");
        else opened.set(request, one);
        return one;
      },
    }),
  );
  for (const [emitter, event] of [
    [port.http2.server, "sessionError"],
    [port.server, "tlsClientError"],
  ] as const) {
    // A broken connection is not a refusal.
    emitter.on(event, ({ code }: NodeJS.ErrnoException) => code !== "ECONNRESET" && observer?.unreadable(code));
  }
  closeAfterLastAnswers(port, stopping);
  const admit = await openAdmission(app);
  app.addHook("onClose", async () => held.stop());
  // Runs before Fastify's own listener, which answers. A broken connection is not a refusal.
  app.server.prependListener("clientError", ({ code }: NodeJS.ErrnoException, socket) => {
    if (socket.writable) observer?.unreadable(code);
  });
  // Runs before anything that may answer, such as CORS.
  app.addHook("onRequest", (request, reply, done) => {
    const isStream = isHttp2(request.raw);
    if (!isStream && unreadable.isEnding(request.socket)) return;
    endUnread(request.raw, reply.raw);
    const isAuthzen = isPlainJson(handlers.get(request.url)) || metadata.has(request.url);
    // Its clients get back whatever they sent, also what is too strange for a log.
    const given = isAuthzen ? request.headers["x-request-id"] : undefined;
    reply.headers(safeHeaders).header("x-request-id", given ?? request.id);
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
    if (refuseTransport(refuse, served, request, reply)) return;
    const rpc = handlers.get(request.url);
    const one = opened.get(request.raw);
    if (rpc === undefined) return done();
    failAsReset(reply.raw);
    const { service, method } = rpc;
    const isStandard = service.typeName.startsWith("grpc.");
    const isAdmitted = isStandard ? one?.joinCalls(service.typeName, method.methodKind) === true : admit(one);
    if (isAdmitted) one?.begin(done);
    else refuseOverload(refuse, reply);
  });
  app.setErrorHandler((error: Error, request, reply) => {
    request.log.error({ err: error }, "unexpected failure");
    return refuse(reply, new ConnectError("internal error", Code.Internal));
  });
  app.get("/healthz", () => ({ status: "alive" }));
  app.get("/readyz", async (_request, reply) => {
    const ready = await options.readiness.now();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
  serveConsole(app, files);
  await app.register(fastifyConnectPlugin, {
    ...connect,
    ...(options.cutOff && { shutdownSignal: options.cutOff }),
    contextValues: ({ raw, log }) => beginCall(raw, opened.get(raw) as OpenRequest, log),
    routes(router) {
      routes(router);
      for (const handler of router.handlers) handlers.set(handler.requestPath, handler);
    },
  });
  app.server.maxConnections = limits.maximumConnections;
  // A worker would hand it back to the primary process, which would pass it around for as long as all are full.
  Object.assign(app.server, { dropMaxConnection: true });
  app.server.on("drop", () => observer?.unreadable("MAX_CONNECTIONS"));
  return app;
}

/** The path that the router sees for unknown targets. No route begins like this. */
const nowhere = "//";

function openFastify(
  log: FastifyBaseLogger,
  { rpcs, readable }: ServedPaths,
  aliases: ReadonlyMap<string, string>,
  unreadable: UnreadableRequests,
  serverFactory: (listener: RequestListener) => Server,
): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: requestId,
    // Fastify's router would decode paths and ignore fragments, so it only gets to see exact paths that are served.
    rewriteUrl(request) {
      const sent = exactPath(request.url ?? "") ?? nowhere;
      const own = ownPath(sent, aliases);
      const path = own ?? sent;
      // Clients of other makers don't know Connect's header.
      if (own !== undefined) request.headers["connect-protocol-version"] ??= "1";
      return rpcs.has(path) || readable.has(path) ? path : nowhere;
    },
    serverFactory,
    clientErrorHandler: unreadable.answerUnreadable,
    // Fastify would refuse a request during shutdown in its own format.
    return503OnClosing: false,
  });
  app.server.on("connect", unreadable.answerTunnel);
  return app;
}
