import { randomUUID } from "node:crypto";
import { outcomeOf, type RowReader, readAnswer } from "./answers.ts";
import { now } from "./clock.ts";
import { call, type Patience } from "./http.ts";
import { directoryMessage, listMessage, type Message, messageOf } from "./messages.ts";
import type {
  Combination,
  DirectoryCall,
  DirectoryChange,
  ListCall,
  Operation,
  Outcome,
  Request,
  Scope,
} from "./operation.ts";

/** Who asks whom. */
export type Asking = {
  readonly client: string;
  readonly token: string;
  readonly server: { readonly name: string; url(): string | undefined };
  readonly rows: RowReader;
  readonly patience: Patience;
};

/** Reads or writes one authorization, and writes down how that went. */
export async function ask(asking: Asking, on: Combination, request: Request): Promise<Operation> {
  const message = messageOf(request, on);
  const timed = await timing(asking, message, request.kind === "read", (body) =>
    readAnswer(request, body, asking.rows),
  );
  return { ...timed, on, request };
}

export async function askForList(asking: Asking, scope: Scope): Promise<ListCall> {
  const timed = await timing(asking, listMessage(scope), true, (body) => ({
    kind: "listed",
    rows: body.authorizations.map((shown: unknown) => asking.rows.read(shown)),
    total: body.pagination.totalResult,
  }));
  return { ...timed, scope };
}

export async function askForChange(asking: Asking, change: DirectoryChange): Promise<DirectoryCall> {
  const timed = await timing(asking, directoryMessage(change), false, () => ({ kind: "applied" }));
  return { ...timed, change };
}

async function timing(
  { client, token, server, patience }: Asking,
  { rpc, message }: Message,
  isRead: boolean,
  done: (body: any) => Outcome,
) {
  const start = now();
  const reason = isRead ? "" : `${client} ${randomUUID()}`;
  const sent = isRead ? message : { ...message, reason };
  const outcome = outcomeOf(await call(server.url(), rpc, sent, token, patience), isRead, done);
  const end = outcome.kind === "unknown" ? Number.POSITIVE_INFINITY : now();
  return { client, server: server.name, reason, start, end, outcome };
}
