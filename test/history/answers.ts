import { readDate } from "../oracle/model/dates.ts";
import type { Reply } from "./http.ts";
import type { Moment, Outcome, Request, Row } from "./operation.ts";
import { combination } from "./world.ts";

/** What a reply means for the history; `done` reads the answer to what went well. */
export function outcomeOf(reply: Reply, isRead: boolean, done: (body: any) => Outcome): Outcome {
  const unheard = (why: string): Outcome => ({ kind: isRead ? "nothing" : "unknown", why });
  if (reply.kind === "not sent") return { kind: "nothing", why: reply.why };
  if (reply.kind === "broken") {
    return reply.why === "no answer in time" ? { kind: "wrong", why: reply.why } : unheard(reply.why);
  }
  const { status, body } = reply;
  if (status === 200) return done(body);
  const info = body.details?.find((detail: any) => detail.type === "google.rpc.ErrorInfo")?.debug;
  const reason: string = info?.reason ?? body.code;
  // Postgres was away: nothing was done, unless the metadata says otherwise (docs/reference/errors.md).
  const isUndone = reason === "DATABASE_UNAVAILABLE" && info?.metadata?.outcome !== "unknown";
  if (reason === "OVERLOADED" || isUndone) return { kind: "nothing", why: reason };
  if (["unavailable", "deadline_exceeded", "canceled", "resource_exhausted"].includes(body.code))
    return unheard(reason);
  if (!refusals.has(reason)) return { kind: "wrong", why: `${status} ${JSON.stringify(body)}` };
  const { id, changeDate } = info?.metadata ?? {};
  return { kind: "refused", reason, id, changeDate: changeDate && parseDate(changeDate) };
}

const refusals = new Set([
  ...["AUTHORIZATION_NOT_FOUND", "AUTHORIZATION_CHANGED", "AUTHORIZATION_EXISTS"],
  ...["PERMISSION_DENIED", "ROLE_NOT_FOUND", "AUTHORIZATION_EXPIRED", "EXPIRATION_NOT_IN_FUTURE"],
]);

function parseDate(text: string): Moment {
  return Number(readDate(text));
}

/** Rows that are the same become one object: a run reads them a million times. */
export class RowReader {
  private readonly known = new Map<string, Row>();

  read(shown: any): Row {
    const { id, changeDate, state, expirationDate, expired } = shown;
    const roles = shown.roles.map((role: { key: string }) => role.key).join(",");
    const on = combination(shown.user.id, shown.project.id, shown.organization.id);
    const text = `${id} ${shown.creationDate} ${changeDate} ${state} ${roles} ${expirationDate} ${expired} ${on.key}`;
    const known = this.known.get(text);
    if (known !== undefined) return known;
    const row: Row = {
      ...{ key: on.key, id, roles, state: state === "STATE_ACTIVE" ? "active" : "inactive" },
      ...{ creationDate: parseDate(shown.creationDate), changeDate: parseDate(changeDate) },
      ...{ expirationDate: expirationDate && parseDate(expirationDate), expired: expired === true },
    };
    this.known.set(text, row);
    return row;
  }
}

/** What is answered to a request that went well. */
export function readAnswer(request: Request, body: any, rows: RowReader): Outcome {
  if (request.kind === "read") {
    const shown = body.authorizations;
    if (shown.length !== body.pagination.totalResult || shown.length > 1) {
      return { kind: "wrong", why: `${shown.length} rows of ${body.pagination.totalResult}` };
    }
    return { kind: "shown", row: shown.length === 0 ? undefined : rows.read(shown[0]) };
  }
  const date = parseDate(body.creationDate ?? body.changeDate ?? body.deletionDate);
  return request.kind === "create" ? { kind: "done", id: body.id, date } : { kind: "done", date };
}
