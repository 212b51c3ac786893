import { toRfc3339 } from "../../../src/authorization/instant.ts";
import type { DirectoryCall, ListCall, Moment, Operation, Outcome, Row, StoredEvent } from "../operation.ts";

/** One line for people. */
export function describeOperation({ on, request, ...call }: Operation): string {
  const { kind, ...what } = request;
  const given = Object.entries(what)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}=${typeof value === "number" ? date(value) : value}`);
  return `${frame(call)}: ${kind} ${on.key}${given.join("")} -> ${describeOutcome(call.outcome)}`;
}

export function describeList({ scope, ...call }: ListCall): string {
  return `${frame(call)}: list ${JSON.stringify(scope)} -> ${describeOutcome(call.outcome)}`;
}

export function describeDirectory({ change, ...call }: DirectoryCall): string {
  return `${frame(call)}: directory, ${change} -> ${describeOutcome(call.outcome)}`;
}

export function describeEvent(event: StoredEvent): string {
  const { sequence, type, id, key, actor, reason, roles, state, expirationDate, expirationDateBefore } = event;
  const ends = [expirationDateBefore, expirationDate].map((end) => (end === undefined ? "no end" : date(end)));
  const became = `${state ?? "gone"} [${roles}], ${ends.join(" -> ")}`;
  return `event ${sequence} ${type} of ${id} (${key}) by ${actor} (${reason}) at ${date(event.date)}: ${became}`;
}

export function describeRow(row: Row | undefined): string {
  if (row === undefined) return "nothing";
  const { id, key, state, roles, creationDate, changeDate, expirationDate, expired } = row;
  const end = expirationDate === undefined ? "" : ` until ${date(expirationDate)}${expired ? ", expired" : ""}`;
  return `${id} (${key}) ${state} [${roles}] of ${date(creationDate)} changed ${date(changeDate)}${end}`;
}

function frame({ client, server, start, end }: Pick<Operation, "client" | "server" | "start" | "end">): string {
  return `${start.toFixed(1)}..${end.toFixed(1)} ms ${client} at ${server}`;
}

function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case "done":
      return `done ${outcome.id ?? ""} ${date(outcome.date)}`;
    case "shown":
      return describeRow(outcome.row);
    case "listed":
      return `${outcome.rows.length} rows of ${outcome.total}`;
    case "applied":
      return "applied";
    case "refused": {
      const changed = outcome.changeDate === undefined ? "" : ` ${date(outcome.changeDate)}`;
      return `${outcome.reason} ${outcome.id ?? ""}${changed}`;
    }
    default:
      return `${outcome.kind} (${outcome.why})`;
  }
}

function date(moment: Moment): string {
  return toRfc3339(BigInt(moment));
}
