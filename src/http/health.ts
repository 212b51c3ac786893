import type { FastifyInstance } from "fastify";
import type { Readiness } from "../rpc/services/health.ts";

export const healthPaths = ["/healthz", "/readyz"];

export function addHealth(app: FastifyInstance, readiness: Readiness): void {
  app.get("/healthz", () => ({ status: "alive" }));
  app.get("/readyz", async (_request, reply) => {
    const ready = await readiness.now();
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
}
