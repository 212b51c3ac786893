import sql, { raw } from "sql-template-tag";
import { expect, test, vi } from "vitest";

test("No more than 300 statements that are put together get a name, however many different ones there are", async () => {
  // Other tests of the same process may have used them up.
  vi.resetModules();
  const { namedByText } = await import("../../src/postgres/pool/prepared.ts");
  const statements = Array.from({ length: 500 }, (_, n) => namedByText(sql`select ${raw(String(n))}, ${n}`));
  const named = statements.filter(({ name }) => name !== undefined);
  expect(named).toHaveLength(300);
  expect(new Set(named.map(({ name }) => name)).size).toBe(300);
  // Those that have one keep it, whatever their values.
  expect(namedByText(sql`select ${raw("0")}, ${"other"}`).name).toBe(statements[0]?.name);
});

test("A name means the same statement in every process, whatever others were put together before", async () => {
  const names = async (...texts: string[]) => {
    vi.resetModules();
    const { namedByText } = await import("../../src/postgres/pool/prepared.ts");
    return texts.map((text) => namedByText(sql`${raw(text)}`).name);
  };
  const [one, two] = await names("select 1", "select 2");
  expect(await names("select 2", "select 1")).toEqual([two, one]);
  // Postgres cuts longer ones off.
  expect(one?.length).toBeLessThan(64);
});
