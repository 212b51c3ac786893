import { sqlState } from "../pool/failures.ts";

/** Thrown if another change has got in the way, so that everything has to be checked again. */
export class StartOver extends Error {
  override readonly name = "StartOver";
}

/** The errors if another transaction changes something between a check and the statement that relies on it. */
const crossed = new Set(["23503", "23505", "40P01"]);

export function isCrossed(error: unknown): boolean {
  return error instanceof StartOver || crossed.has(sqlState(error) ?? "");
}
