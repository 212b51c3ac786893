import { createTestDatabase, type TestDatabase } from "./database.ts";
import { smallWorld } from "./world.ts";

/** The small world, loaded once and copied for every test that is to find it as it was. */
export type FreshWorlds = {
  next(): Promise<TestDatabase>;
  drop(): Promise<void>;
};

export async function openFreshWorlds(...more: object[]): Promise<FreshWorlds> {
  // Nothing may be connected to a database that is copied: loading connects by itself, and nothing is asked here.
  const loaded = await createTestDatabase();
  await loaded.load(...smallWorld, ...more);
  const name = new URL(loaded.url).pathname.slice(1);
  return { next: () => createTestDatabase(name), drop: () => loaded.drop() };
}
