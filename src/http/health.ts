import type { FastifyInstance } from "fastify";

export const healthPaths = ["/healthz", "/readyz"];

export function addHealth(app: FastifyInstance, isReady: () => Promise<boolean>): void {
  let asking: Promise<boolean> | undefined;
  app.get("/healthz", () => ({ status: "alive" }));
  app.get("/readyz", async (_request, reply) => {
    // Simultaneous requests share one check, so no one can keep Postgres busy without credentials.
    asking ??= isReady().finally(() => {
      asking = undefined;
    });
    const ready = await asking;
    return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not ready" });
  });
}
