// A floor: a Fastify route that sends bytes it holds in memory, chosen by the Authorization header.

import { fastify } from "fastify";

const answers = new Map<string, Buffer>();
process.on("message", ({ authorization, body }: { authorization: string; body: Uint8Array }) => {
  answers.set(authorization, Buffer.from(body));
  process.send?.("kept");
});

const app = fastify();
app.get("/readyz", () => ({ status: "ready" }));
app.post("/list", (request, reply) =>
  reply.type("application/json").send(answers.get(request.headers.authorization ?? "")),
);
await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
process.once("SIGTERM", () => process.exit());
