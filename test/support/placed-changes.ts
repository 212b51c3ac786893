import type { PlacedChange } from "../../src/directory/change.ts";
import { readChange } from "../../src/import-format/changes.ts";

/** Changes given as the JSON of the import format, with the lines they would be on. */
export async function* placed(changes: readonly object[]): AsyncGenerator<PlacedChange> {
  for (const [index, change] of changes.entries()) {
    yield { position: index + 1, change: readChange(JSON.stringify(change)) };
  }
}
