import { cors as connectCors } from "@connectrpc/connect";
import cors from "@fastify/cors";
import type { FastifyInstance } from "fastify";

/** The headers that web pages may send in addition to those of Connect. */
const ownHeaders = ["Authorization", "X-Change-Reason", "X-Request-Id", "traceparent", "tracestate"];

/** Lets web pages of these origins call. Only `*` means any origin. */
export async function allowOrigins(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const options = {
    origin: origins.includes("*") ? "*" : [...origins],
    methods: ["POST"],
    allowedHeaders: [...connectCors.allowedHeaders, ...ownHeaders],
    exposedHeaders: [...connectCors.exposedHeaders, "WWW-Authenticate", "Retry-After", "X-Request-Id"],
    maxAge: 7_200,
    strictPreflight: false,
  };
  await app.register(cors, {
    delegator({ headers }, callback) {
      // Any other OPTIONS request is a wrong method, as without CORS.
      const preflight = headers.origin !== undefined && headers["access-control-request-method"] !== undefined;
      callback(null, { ...options, preflight });
    },
  });
}
