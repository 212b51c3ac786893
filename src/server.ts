import { Code, ConnectError, cors as connectCors } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { codeToHttpStatus, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import cors from "@fastify/cors";
import underPressure from "@fastify/under-pressure";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from "fastify";
import { admission, type Queue } from "./admission.ts";
import { Refusal } from "./authorization/refusal.ts";
import type { ConsoleFiles } from "./console/console-files.ts";
import { serveConsole } from "./console/serve-console.ts";
import { answerUnknownAddress } from "./console/unknown-address.ts";
import type { VerifyJwt } from "./identity/jwt.ts";
import type { ServerObserver } from "./observability/observer.ts";
import { watchRefusals } from "./observability/refusals.ts";
import { requestId } from "./observability/request-id.ts";
import { openApiFiles } from "./open-api.ts";
import { ambiguityOf } from "./request-head.ts";
import { exactPath } from "./request-target.ts";
import { timeoutOf } from "./rpc/deadline.ts";
import { fairShare } from "./rpc/fair-share.ts";
import { contextOfRequest } from "./rpc/observation.ts";
import { fromRefusal } from "./rpc/refusals.ts";
import { addRoutes, connectOptions, jsonOptions, type Limits, type Stores } from "./rpc/routes.ts";
import { safeHeaders } from "./safe-headers.ts";
import { closeAfterLastAnswers } from "./stop-serving.ts";
import { unreadableRequests } from "./unreadable-requests.ts";

export type ServerOptions = {
  readonly stores: Stores;
  /** Undefined: no JWT is accepted. */
  readonly verifyJwt?: VerifyJwt | undefined;
  readonly limits: Limits & { readonly maximumConnections: number; readonly maximumInFlight: number };
  readonly corsOrigins: readonly string[];
  /** Undefined: no console is served. */
  readonly consoleFiles?: ConsoleFiles | undefined;
  readonly log: FastifyBaseLogger;
  /** Hears of every request; undefined when nobody wants to know. */
  readonly observer?: ServerObserver | undefined;
  /** Whether requests can be answered: Postgres answers and its schema is current. */
  readonly isReady: () => Promise<boolean>;
  /** What is waiting for Postgres. */
  readonly queue: () => Queue;
  /** Aborts when the server is told to stop. */
  readonly stopping: AbortSignal;
};

/** The HTTP server, not yet listening. Every error it answers has Connect's shape. */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const patienceMs = options.limits.maximumTimeoutMs + 5_000;
  const handlers = new Map<string, UniversalHandler>();
  const files: ConsoleFiles = new Map([...openApiFiles, ...(options.consoleFiles ?? [])]);
  const readable = new Set([...healthPaths, ...files.keys()]);
  const unreadable = unreadableRequests(patienceMs);
  const app = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: requestId,
    // Fastify's router decodes paths and follows fragments. It sees none of that: only the paths that are served.
    rewriteUrl({ url = "" }) {
      const path = exactPath(url) ?? nowhere;
      return handlers.has(path) || readable.has(path) ? path : nowhere;
    },
    // A request whose body has not arrived by then gets its deadline answered; this frees the connection.
    requestTimeout: patienceMs,
    // The same for a client that does not read its answer.
    connectionTimeout: patienceMs,
    clientErrorHandler: unreadable.answerUnreadable,
    // Node would refuse a missing Host with an empty body, and Fastify a request during shutdown in its own shape.
    http: {
      requireHostHeader: false,
      // Node keeps no time for requests that is shorter than that for their headers.
      headersTimeout: Math.min(60_000, patienceMs),
      connectionsCheckingInterval: 1_000,
    },
    return503OnClosing: false,
  });
  app.server.on("connect", unreadable.answerTunnel);
  // What a client expects beyond 100-continue may be ignored; Node would answer with an empty body.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.server.maxConnections = options.limits.maximumConnections;
  app.server.on("drop", () => options.observer?.unreadable("MAX_CONNECTIONS"));
  closeAfterLastAnswers(app, options.stopping);
  // Its own answers would have another shape; it is asked by the admission.
  await app.register(underPressure, {
    maxEventLoopDelay: longestLoopDelayMs,
    // Long enough that a single request that takes long to read does not shut out all others.
    sampleInterval: 5_000,
    pressureHandler: () => undefined,
  });
  const share = fairShare(options.limits.maximumInFlight, largestAtOnce * options.limits.maximumRequestBytes);
  const { admit } = admission(options.limits.maximumInFlight, options.queue);
  const isRoomFor = ({ headers }: FastifyRequest, reply: FastifyReply) =>
    !app.isUnderPressure() && admit(reply.raw, timeoutOf(headers["connect-timeout-ms"], options.limits));
  if (options.observer !== undefined) watchRefusals(app, options.observer);
  // Before all that may answer, as CORS does.
  app.addHook("onRequest", (request, reply, done) => {
    if (!unreadable.begin(request.raw, reply.raw)) return;
    reply.headers(safeHeaders).header("x-request-id", request.id);
    const ambiguity = ambiguityOf(request.raw);
    if (ambiguity === undefined) return done();
    unreadable.giveUp(request.socket);
    refuse(reply.header("connection", "close"), new ConnectError(ambiguity, Code.InvalidArgument));
  });
  await allowOrigins(app, options.corsOrigins);
  app.addHook("onRequest", (request, reply, done) => {
    if (refuseTransport({ handlers, readable, consoleFiles: options.consoleFiles }, request, reply)) return;
    if (!handlers.has(request.url) || isRoomFor(request, reply)) done();
    else refuseOverload(reply);
  });
  app.setErrorHandler((error: Error, request, reply) => {
    request.log.error({ err: error }, "unexpected failure");
    return refuse(reply, new ConnectError("internal error", Code.Internal));
  });
  addHealth(app, async () => !options.stopping.aborted && (await options.isReady()));
  serveConsole(app, files);
  await app.register(fastifyConnectPlugin, {
    ...connectOptions({ callers: options.stores.callers, verifyJwt: options.verifyJwt }, options.limits, {
      share,
      log: options.log,
    }),
    contextValues: (request) => contextOfRequest(request.log),
    routes: (router) => {
      addRoutes(router, options.stores, options.limits, { ...options, share });
      for (const handler of router.handlers) handlers.set(handler.requestPath, handler);
    },
  });
  return app;
}

/** What the event loop may be late on average before nothing more is let in, in milliseconds. */
const longestLoopDelayMs = 1_000;

/** How many of the largest bodies may be held at once, in bytes. */
const largestAtOnce = 16;

const healthPaths = ["/healthz", "/readyz"];

/** What the router sees of a target at which nothing is served. No route begins like this. */
const nowhere = "//";

function addHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  let asking: Promise<boolean> | undefined;
  app.get("/healthz", () => ({ status: "alive" }));
  app.get("/readyz", async (_request, reply) => {
    // Those who ask at once get one answer: nobody may keep Postgres busy without credentials.
    asking ??= isReady().finally(() => {
      asking = undefined;
    });
    const ready = await asking;
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
}

async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const options = {
    origin: origins.includes("*") ? "*" : [...origins],
    methods: ["POST"],
    allowedHeaders: [...connectCors.allowedHeaders, "Authorization", "X-Request-Id", "traceparent", "tracestate"],
    exposedHeaders: [...connectCors.exposedHeaders, "WWW-Authenticate", "Retry-After", "X-Request-Id"],
    maxAge: 7_200,
    strictPreflight: false,
  };
  await app.register(cors, {
    delegator: (request, callback) => callback(null, { ...options, preflight: isPreflight(request) }),
  });
}

/** Any other OPTIONS is a wrong method, as it is without CORS. */
function isPreflight({ headers }: FastifyRequest): boolean {
  return headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
}

/** What there is at which paths: RPCs, and what everybody may GET. */
type Served = Pick<ServerOptions, "consoleFiles"> & {
  readonly handlers: ReadonlyMap<string, UniversalHandler>;
  readonly readable: ReadonlySet<string>;
};

/** Answers what needs no credentials: an unknown path, a wrong method, a content type not served, a Host that is none. */
function refuseTransport(
  { handlers, readable, consoleFiles }: Served,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const handler = handlers.get(request.url);
  if (readable.has(request.url)) {
    if (["GET", "HEAD"].includes(request.method)) return false;
    refuseMethod(request, reply, "GET, HEAD");
  } else if (handler === undefined) {
    // Before the body is read: nothing in it could make the path known.
    if (answerUnknownAddress(consoleFiles, request, reply)) return true;
    const [sent] = request.originalUrl.split("?", 1);
    refuse(reply, new ConnectError(`there is nothing at ${sent}`, Code.Unimplemented), 404);
  } else if (!URL.canParse(`http://${request.headers.host ?? ""}`)) {
    refuse(reply, new ConnectError("the Host header is missing or malformed", Code.InvalidArgument));
  } else if (request.method !== "POST") {
    refuseMethod(request, reply, "POST");
  } else if (!handler.supportedContentType(request.headers["content-type"] ?? "")) {
    reply.header("accept-post", "application/json, application/proto");
    refuse(
      reply,
      new ConnectError("the content type must be application/json or application/proto", Code.Unimplemented),
      415,
    );
  } else {
    return false;
  }
  return true;
}

function refuseMethod(request: FastifyRequest, reply: FastifyReply, allowed: string): void {
  reply.header("allow", allowed);
  const message = `${request.method} is not served here, use ${allowed.replace(", ", " or ")}`;
  refuse(reply, new ConnectError(message, Code.Unimplemented), 405);
}

const overload = fromRefusal(new Refusal("OVERLOADED", "the server is too busy to answer in time; try again"));
// Made once: refusing has to cost next to nothing.
const overloadBody = Buffer.from(errorToJsonBytes(overload, jsonOptions));
const overloadStatus = codeToHttpStatus(overload.code);

function refuseOverload(reply: FastifyReply): FastifyReply {
  reply.header("content-type", "application/json").header("retry-after", overload.metadata.get("retry-after"));
  return reply.code(overloadStatus).send(overloadBody);
}

function refuse(reply: FastifyReply, error: ConnectError, status = codeToHttpStatus(error.code)): FastifyReply {
  // As bytes: to a text Fastify would add a charset.
  const body = Buffer.from(errorToJsonBytes(error, undefined));
  return reply.code(status).header("content-type", "application/json").send(body);
}
