import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { createSmallWorld, type TestDatabase } from "./database.ts";
import { expectInvariants } from "./invariants.ts";
import { deadlocksIn } from "./locks.ts";
import { startTestServer, type TestServer } from "./server.ts";

/**
 * Gives every test of a file or a describe a server on a small world of its own, with a token of its owner. Afterwards the
 * world must be in order, and the server must not have failed.
 *
 * @returns makes further small worlds
 */
export function freshServerForEach(
  options: { readonly poolSize?: number },
  use: (server: TestServer, root: string) => unknown,
): () => Promise<TestDatabase> {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer({ database: await createSmallWorld(), ...options });
    await use(server, await server.database.token("root"));
  });
  afterEach(async () => {
    await expectInvariants(server.database);
    expect(server.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
    await server.stop();
    await server.database.drop();
  });
  return createSmallWorld;
}

/** Gives the tests of a file one server on an empty world. In the end, nothing may have deadlocked or failed. */
export function serverWithoutDeadlocks(use: (server: TestServer) => unknown): void {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ poolSize: 8 });
    await use(server);
  });
  afterAll(async () => {
    expect(await deadlocksIn(server.database)).toBe(0);
    expect(server.log.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    await server.stop();
  });
}
