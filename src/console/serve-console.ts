import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ConsoleFile, ConsoleFiles } from "./console-files.ts";

/**
 * Answers GET and HEAD at the paths of the console, and at no others. This needs no credentials and passes no gate. So
 * it never reads a file or queries Postgres, and all answers share the same bytes, even if clients don't read them.
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
  // Compared like weak ones, because proxies that compress make them weak.
  const known = (request.headers["if-none-match"] ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  if (known.includes(etag) || known.includes("*")) return reply.code(304).send();
  if (encoding !== "") reply.header("content-encoding", encoding);
  return reply.send(body);
}

/** Adds to `Vary`, which CORS also sets. */
function vary(reply: FastifyReply, header: string): void {
  const others = reply.getHeader("vary");
  reply.header("vary", others === undefined ? header : `${others}, ${header}`);
}
