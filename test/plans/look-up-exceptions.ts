import type { Exception } from "./exceptions.ts";

/** Look-ups that may examine more rows than their bound. */
export const lookUpExceptions: readonly Exception[] = [];
