import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { migrate } from "../../src/postgres/migrations/migrations.ts";
import { grantToService } from "../../src/postgres/migrations/service-role.ts";
import { run } from "./cluster.ts";
import { createTestDatabase } from "./database.ts";

/** A database as docs/how-to/use-your-own-postgres.md wants it: one role owns the schema, the service logs in as another one. */
export async function createGuardedDatabase() {
  const serverUrl = inject("serverUrl");
  const suffix = randomBytes(6).toString("hex");
  const [owner, service] = [`owner_${suffix}`, `service-$$-${suffix}`];
  const database = await createTestDatabase("template0");
  const name = new URL(database.url).pathname.slice(1);
  for (const role of [owner, service]) {
    await run(serverUrl, `create role "${role}" login password '${suffix}' nosuperuser nocreatedb nocreaterole`);
  }
  await run(serverUrl, `alter database ${name} owner to ${owner}`);
  // So that nothing is allowed because everybody is allowed it.
  await run(serverUrl, `revoke all on database ${name} from public`);
  await run(database.url, "revoke usage on schema public from public; grant create on schema public to public");
  const [ownerUrl, serviceUrl] = [as(owner, suffix, database.url), as(service, suffix, database.url)];
  await migrate({ connectionString: ownerUrl });
  await grantToService({ connectionString: ownerUrl }, service);
  return {
    /** Its url is that of the service's role; what tests arrange in it, they arrange as its superuser. */
    database: { ...database, url: serviceUrl },
    service,
    serviceUrl,
    ownerUrl,
    async drop() {
      await database.drop();
      for (const role of [owner, service]) await run(serverUrl, `drop role "${role}"`);
    },
  };
}

/** The same database, another role. */
function as(role: string, password: string, databaseUrl: string): string {
  const url = new URL(databaseUrl);
  // These count before what stands in front of the host.
  url.searchParams.set("user", role);
  url.searchParams.set("password", password);
  return url.toString();
}
