import { promisify } from "node:util";

/** Writes to standard output. Waits for slow readers, so no data piles up here. */
export const write = promisify<string, void>((text, done) => process.stdout.write(text, done));
