import sql, { raw } from "sql-template-tag";
import { expect, test, vi } from "vitest";

test("No more than 100 statements that are put together get a name, however many different ones there are", async () => {
  // Other tests of the same process may have used them up.
  vi.resetModules();
  const { namedByText } = await import("../../src/postgres/prepared.ts");
  const statements = Array.from({ length: 300 }, (_, n) => namedByText(sql`select ${raw(String(n))}, ${n}`));
  const named = statements.filter(({ name }) => name !== undefined);
  expect(named).toHaveLength(100);
  expect(new Set(named.map(({ name }) => name)).size).toBe(100);
  // Those that have one keep it, whatever their values.
  expect(namedByText(sql`select ${raw("0")}, ${"other"}`).name).toBe(statements[0]?.name);
});
