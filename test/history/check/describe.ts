import { toRfc3339 } from "../../../src/authorization/instant.ts";
import type { DirectoryCall, ListCall, Operation, Row, StoredEvent } from "../operation.ts";

/** One line for people. */
export function describeOperation({ on, request, outcome, ...call }: Operation): string {
  const { kind, ...what } = request;
  return `${frame(call)}: ${kind} ${on.key} ${print(what)} -> ${print(outcome)}`;
}

export function describeList({ scope, outcome, ...call }: ListCall): string {
  const shown = outcome.kind === "listed" ? `${outcome.rows.length} rows of ${outcome.total}` : print(outcome);
  return `${frame(call)}: list ${print(scope)} -> ${shown}`;
}

export function describeDirectory({ change, outcome, ...call }: DirectoryCall): string {
  return `${frame(call)}: directory, ${change} -> ${print(outcome)}`;
}

export function describeEvent(event: StoredEvent): string {
  return `event ${print(event)}`;
}

export function describeRow(row: Row | undefined): string {
  return row === undefined ? "nothing" : print(row);
}

type Framed = Pick<Operation, "client" | "server" | "start" | "end">;

function frame({ client, server, start, end }: Framed): string {
  return `${start.toFixed(1)}..${end.toFixed(1)} ms ${client} at ${server}`;
}

/** JSON, with moments as dates. */
function print(what: object): string {
  const isMoment = /date|since/i;
  return JSON.stringify(what, (name, value) =>
    isMoment.test(name) && Number.isFinite(value) ? toRfc3339(BigInt(value)) : value,
  );
}
