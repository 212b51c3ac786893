import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ConsoleFile, ConsoleFiles } from "./console-files.ts";

/**
 * Answers GET and HEAD at the paths of the console, and at no other. Nobody needs credentials for it, and no gate stands
 * before it; so it never reads a file and never asks Postgres, and clients that do not read share the same bytes.
 */
export function serveConsole(app: FastifyInstance, files: ConsoleFiles): void {
  for (const [url, file] of files) {
    app.route({ method: ["GET", "HEAD"], url, handler: (request, reply) => answer(file, request, reply) });
  }
}

function answer({ headers, plain, compressed }: ConsoleFile, request: FastifyRequest, reply: FastifyReply) {
  const accepted = String(request.headers["accept-encoding"] ?? "").toLowerCase();
  const encoding = negotiate(accepted, [...compressed.keys()]) ?? "";
  const { body, etag } = compressed.get(encoding) ?? plain;
  reply.headers(headers).header("etag", etag);
  if (compressed.size > 0) vary(reply, "accept-encoding");
  if (isKnown(etag, request)) return reply.code(304).send();
  if (encoding !== "") reply.header("content-encoding", encoding);
  return reply.send(body);
}

/** Proxies that compress make an ETag weak. */
function isKnown(etag: string, { headers }: FastifyRequest): boolean {
  const known = (headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return known.includes(etag) || known.includes("*");
}

/** CORS names what it varies by as well. */
function vary(reply: FastifyReply, header: string): void {
  const others = reply.getHeader("vary");
  reply.header("vary", others === undefined ? header : `${others}, ${header}`);
}
