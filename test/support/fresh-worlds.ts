import { createSmallWorld, createTestDatabase, type TestDatabase } from "./database.ts";

/** The small world with more in it, loaded once and copied for every test that is to find it as it was. */
export type FreshWorlds = {
  next(): Promise<TestDatabase>;
  drop(): Promise<void>;
};

export async function openFreshWorlds(...more: object[]): Promise<FreshWorlds> {
  // Nothing may be connected to a database that is copied: an import's own connection is closed, and nothing is asked.
  const first = await createSmallWorld();
  if (more.length > 0) await first.import(...more);
  const name = new URL(first.url).pathname.slice(1);
  return { next: () => createTestDatabase(name), drop: () => first.drop() };
}
