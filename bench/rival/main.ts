// The hand-written rival: what a good engineer would write in a day for these five calls, with Fastify and pg.

import { fastify } from "fastify";
import pg from "pg";
import { findCaller } from "./caller.ts";
import { type CreateRequest, createAuthorization } from "./create.ts";
import { deleteAuthorization } from "./delete.ts";
import { type ListRequest, listAuthorizations } from "./list.ts";
import { getOverview } from "./overview.ts";
import { updateAuthorization } from "./update.ts";

// Dates as Postgres prints them: JavaScript's would lose the microseconds.
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => text);

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL,
  max: Number(process.env.DATABASE_POOL_SIZE ?? 10),
  options: "-c timezone=UTC -c jit=off",
});
pool.on("error", (error) => console.error(error));
const app = fastify();

const text = { type: "string", minLength: 1, maxLength: 200 };
const keys = { type: "array", items: text, uniqueItems: true, maxItems: 1000 };

app.get("/readyz", () => ({ status: "ready" }));

app.post<{ Body: ListRequest }>("/list", { schema: { body: listBody() } }, async (request, reply) => {
  const caller = await findCaller(pool, request.headers.authorization);
  if (caller === undefined) return reply.code(401).send({ error: "a valid bearer token is needed" });
  const answer = await listAuthorizations(pool, caller, request.body);
  return reply.type("application/json").send(JSON.stringify(answer));
});

app.post("/overview", async (request, reply) => {
  const caller = await findCaller(pool, request.headers.authorization);
  if (caller === undefined) return reply.code(401).send({ error: "a valid bearer token is needed" });
  return reply.type("application/json").send(JSON.stringify(await getOverview(pool, caller)));
});

app.post<{ Body: { id: string; roleKeys: string[] } }>(
  "/update",
  { schema: { body: updateBody() } },
  async (request, reply) => {
    const caller = await findCaller(pool, request.headers.authorization);
    if (caller === undefined) return reply.code(401).send({ error: "a valid bearer token is needed" });
    const { status, body } = await updateAuthorization(pool, caller, request.body);
    return reply.code(status).type("application/json").send(JSON.stringify(body));
  },
);

app.post<{ Body: CreateRequest }>("/create", { schema: { body: createBody() } }, async (request, reply) => {
  const caller = await findCaller(pool, request.headers.authorization);
  if (caller === undefined) return reply.code(401).send({ error: "a valid bearer token is needed" });
  const { status, body } = await createAuthorization(pool, caller, request.body);
  return reply.code(status).type("application/json").send(JSON.stringify(body));
});

app.post<{ Body: { id: string } }>("/delete", { schema: { body: deleteBody() } }, async (request, reply) => {
  const caller = await findCaller(pool, request.headers.authorization);
  if (caller === undefined) return reply.code(401).send({ error: "a valid bearer token is needed" });
  const { status, body } = await deleteAuthorization(pool, caller, request.body);
  return reply.code(status).type("application/json").send(JSON.stringify(body));
});

await app.listen({ host: "127.0.0.1", port: Number(process.env.PORT) });
process.once("SIGTERM", () => void app.close().then(() => pool.end()));

function listBody() {
  const pagination = {
    type: "object",
    properties: {
      offset: { type: "integer", minimum: 0 },
      limit: { type: "integer", minimum: 0, maximum: 1000 },
      asc: { type: "boolean" },
    },
  };
  const displayName = { type: "string", minLength: 1, maxLength: 200 };
  const userDisplayName = { type: "object", required: ["displayName"], properties: { displayName } };
  const filter = { type: "object", required: ["userDisplayName"], properties: { userDisplayName } };
  return { type: "object", properties: { pagination, filters: { type: "array", items: filter, maxItems: 50 } } };
}

function updateBody() {
  return { type: "object", required: ["id", "roleKeys"], properties: { id: text, roleKeys: keys } };
}

function createBody() {
  const properties = { userId: text, projectId: text, organizationId: text, roleKeys: keys };
  return { type: "object", required: ["userId", "projectId", "organizationId"], properties };
}

function deleteBody() {
  return { type: "object", required: ["id"], properties: { id: text } };
}
