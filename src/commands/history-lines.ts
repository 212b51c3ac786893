import type pg from "pg";
import { toRfc3339 } from "../authorization/instant.ts";
import { assignmentHistory, directoryHistory, type History, readHistory } from "../postgres/history/read-history.ts";
import type { Cut } from "../postgres/retention/archive.ts";

/** The lines of some events. Only dates are numbers of this kind. */
export function linesOf(events: readonly object[]): string {
  const shown = (_: string, value: unknown) => (typeof value === "bigint" ? toRfc3339(value) : value);
  return events.map((event) => `${JSON.stringify(event, shown)}\n`).join("");
}

/**
 * The text of both histories, a part at a time, within the client's transaction.
 *
 * @param cut leaves out the events from there on
 */
export async function* historyText(client: pg.ClientBase, cut?: Cut): AsyncGenerator<string> {
  yield* textOf(client, "event", assignmentHistory([]), cut?.event);
  yield* textOf(client, "directoryEvent", directoryHistory([]), cut?.directoryEvent);
}

async function* textOf(
  client: pg.ClientBase,
  kind: string,
  history: History,
  before: string | undefined,
): AsyncGenerator<string> {
  const range = before === undefined ? undefined : { after: "0", to: String(BigInt(before) - 1n) };
  for await (const events of readHistory(client, history, range))
    yield linesOf(events.map((event) => ({ [kind]: event })));
}
