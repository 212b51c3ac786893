import { Code, ConnectError, cors as connectCors } from "@connectrpc/connect";
import type { UniversalHandler } from "@connectrpc/connect/protocol";
import { codeToHttpStatus, errorToJson } from "@connectrpc/connect/protocol-connect";
import { fastifyConnectPlugin } from "@connectrpc/connect-fastify";
import cors from "@fastify/cors";
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  fastify,
  LogController,
} from "fastify";
import { addRoutes, connectOptions, type Limits, type Stores } from "./rpc/routes.ts";

export type ServerOptions = {
  readonly stores: Stores;
  readonly limits: Limits;
  readonly corsOrigins: readonly string[];
  readonly log: FastifyBaseLogger;
  /** Whether requests can be answered: Postgres answers and its schema is current. */
  readonly isReady: () => Promise<boolean>;
};

/** The HTTP server, not yet listening. Every error it answers has Connect's shape. */
export async function buildServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    // A request whose body has not arrived by then gets its deadline answered; this frees the connection.
    requestTimeout: options.limits.maximumTimeoutMs + 5_000,
    frameworkErrors: (error, _request, reply) => refuse(reply, new ConnectError(error.message, Code.InvalidArgument)),
    clientErrorHandler: answerUnreadableRequest,
  });
  const handlers = new Map<string, UniversalHandler>();
  await allowOrigins(app, options.corsOrigins);
  app.addHook("onRequest", (request, reply, done) => {
    reply.header("x-content-type-options", "nosniff").header("cache-control", "no-store");
    if (!refuseTransport(handlers, request, reply)) done();
  });
  app.setNotFoundHandler((request, reply) =>
    refuse(reply, new ConnectError(`there is nothing at ${pathOf(request)}`, Code.Unimplemented), 404),
  );
  app.setErrorHandler((error: Error, request, reply) => {
    request.log.error({ err: error }, "unexpected failure");
    return refuse(reply, new ConnectError("internal error", Code.Internal));
  });
  addHealth(app, options.isReady);
  await app.register(fastifyConnectPlugin, {
    ...connectOptions(options.stores, options.limits, options.log),
    routes: (router) => {
      addRoutes(router, options.stores, options.limits);
      for (const handler of router.handlers) handlers.set(handler.requestPath, handler);
    },
  });
  return app;
}

function addHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  app.get("/healthz", () => ({ status: "alive" }));
  app.get("/readyz", async (_request, reply) => {
    const ready = await isReady();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
}

async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins.includes("*") ? "*" : [...origins],
    methods: ["POST"],
    allowedHeaders: [...connectCors.allowedHeaders, "Authorization"],
    exposedHeaders: [...connectCors.exposedHeaders, "WWW-Authenticate", "Retry-After"],
    maxAge: 7_200,
    strictPreflight: false,
  });
}

/** Answers what needs no credentials: a wrong method, a content type not served, a Host that is none. */
function refuseTransport(
  handlers: Map<string, UniversalHandler>,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const handler = handlers.get(request.routeOptions.url ?? pathOf(request));
  if (handler === undefined) return false;
  if (!URL.canParse(`http://${request.headers.host}`)) {
    refuse(reply, new ConnectError("the Host header is missing or malformed", Code.InvalidArgument));
  } else if (request.method !== "POST") {
    reply.header("allow", "POST");
    refuse(reply, new ConnectError(`${request.method} is not served here, use POST`, Code.Unimplemented), 405);
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

function refuse(reply: FastifyReply, error: ConnectError, status = codeToHttpStatus(error.code)): FastifyReply {
  return reply
    .code(status)
    .header("content-type", "application/json")
    .send(JSON.stringify(errorToJson(error, undefined)));
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}

/** What Node's parser refuses never becomes a request; it is answered on the bare socket. */
function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: import("node:net").Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const timedOut = error.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const tooLarge = error.code === "HPE_HEADER_OVERFLOW";
  const status = timedOut
    ? "408 Request Timeout"
    : tooLarge
      ? "431 Request Header Fields Too Large"
      : "400 Bad Request";
  const code = timedOut ? Code.DeadlineExceeded : tooLarge ? Code.ResourceExhausted : Code.InvalidArgument;
  const message = timedOut
    ? "the request did not arrive in time"
    : tooLarge
      ? "the headers are too large"
      : "malformed HTTP request";
  const body = JSON.stringify(errorToJson(new ConnectError(message, code), undefined));
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}
