import fc from "fast-check";
import { compareCase } from "./compare.ts";
import { print } from "./difference.ts";
import { anyCase } from "./generate-operations.ts";
import type { Case } from "./operations.ts";
import type { Product } from "./product.ts";
import { shrink } from "./shrink.ts";

export type Exploration = {
  readonly seed: number;
  readonly cases: number;
  /** How many operations a case has at most. */
  readonly operations: number;
  /** Hears of every case that went well, and how many answers were compared in it. */
  readonly onCase: (compared: number) => void;
};

/** Compares random cases. Resolves to what to tell people about the first that fails, in as few words as it goes. */
export async function explore(product: Product, exploration: Exploration): Promise<string | undefined> {
  const { seed, cases, operations, onCase } = exploration;
  const property = fc.asyncProperty(anyCase(operations), async (one) => onCase(await compareCase(product, one)));
  const details = await fc.check(property, { seed, numRuns: cases, endOnFailure: true });
  const [failing] = details.counterexample ?? [];
  if (!details.failed || failing === undefined) return undefined;
  const found = await shrink(failing, async (one) => (await differenceOf(product, one)) !== undefined);
  const difference = (await differenceOf(product, found)) ?? messageOf(details.errorInstance);
  return `${difference}\n\nThe case in JSON, for --replay:\n${print(found)}`;
}

/** What a case shows to be wrong. */
export async function differenceOf(product: Product, one: Case): Promise<string | undefined> {
  try {
    await compareCase(product, one);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === "Difference" ? error.message : (error.stack ?? error.message);
}
