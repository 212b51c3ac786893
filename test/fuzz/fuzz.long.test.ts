import { afterAll, describe, expect, test } from "vitest";
import { databaseOfTests } from "../support/database.ts";
import { aftermath } from "./aftermath.ts";
import { anyInput } from "./any-input.ts";
import { fuzz } from "./campaign.ts";
import { print } from "./input.ts";
import { startProduct } from "./product.ts";

const database = await databaseOfTests();
const product = await startProduct(database.url);
afterAll(() => product.stop());

describe("Hostile input", () => {
  test("is always answered as HTTP and Connect have it, changes nothing it has no right to, and leaves nothing behind", async () => {
    const filesBefore = await product.openFiles();
    const findings = await fuzz({
      ...{ seed: 1, from: 1_500, to: 4_500, mostProblems: 3 },
      ...{ product, databaseUrl: database.url, onStage: async () => {} },
    });
    const left = await aftermath(product, database.url, filesBefore);
    expect([...findings.problems, ...left]).toEqual([]);
    expect(findings.inputs).toBe(3_000);
    // All kinds came, and answers of all sorts.
    expect(Object.keys(findings.kinds).length).toBeGreaterThanOrEqual(10);
    expect(findings.statuses["200"]).toBeGreaterThan(400);
    for (const code of ["invalid_argument", "not_found", "permission_denied", "failed_precondition", "unimplemented"]) {
      expect(findings.codes[code], code).toBeGreaterThan(10);
    }
  });

  test("is made again by its seed and number", () => {
    for (const index of [0, 1, 777, 1_999, 123_456]) {
      for (const isChanging of [false, true]) {
        expect(print(anyInput(5, index, isChanging))).toBe(print(anyInput(5, index, isChanging)));
      }
      expect(print(anyInput(5, index, false))).not.toBe(print(anyInput(6, index, false)));
    }
  });
});
