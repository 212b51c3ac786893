import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { ErrorInfoSchema } from "../../client/gen/google/rpc/error_details_pb.js";
import {
  type AuthorizationEvent,
  AuthorizationHistoryService,
  type WatchAuthorizationsRequestSchema,
} from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import { State } from "../../gen/service/authorization/v2/authorization_pb.ts";
import { untilAnyListens, type Workplace } from "./clients.ts";
import type { Moment, StoredEvent, Watched } from "./operation.ts";
import type { Random } from "./random.ts";
import type { TroubledServer } from "./servers.ts";
import { combination, fair } from "./world.ts";

const backOffMs = 50;
/** A stream says something every 15 seconds (docs/reference/feed.md). The rest is for a machine that is busy. */
const longestSilenceMs = 25_000;

/** What a watcher asks for, by its number. */
const filters: readonly Watched["filter"][] = [
  {},
  { projectId: fair },
  {},
  { types: ["user.grant.expired", "user.grant.removed"] },
];

export function newWatcher(number: number, clients: readonly string[]): Watched {
  return {
    client: clients[number % clients.length] as string,
    filter: filters[Math.floor(number / 2) % filters.length] as Watched["filter"],
    lives: [],
    told: new Map(),
    breaks: [],
    wrong: [],
  };
}

type Watching = Pick<Workplace, "tokens" | "signal"> & {
  readonly servers: readonly Pick<TroubledServer, "url">[];
  /** Called when the first stream has begun. */
  readonly begun: () => void;
};

/** Follows the feed from one stream to the next until told to stop. Writes down everything that it is told. */
export async function runWatcher(watched: Watched, random: Random, at: Watching): Promise<void> {
  let token = "";
  const follow = async (url: string) => {
    const life = watched.lives.at(-1) ?? beginLife(watched);
    for await (const { events, resumeToken } of untilSilent(open(url, token, watched, at), watched)) {
      for (const event of events) note(readEvent(event), life, watched);
      token = resumeToken;
      at.begun();
    }
    return "the server ended it";
  };
  while (!at.signal.aborted) {
    await untilAnyListens(at);
    const url = random.pick(at.servers.map((server) => server.url()).filter((one) => one !== undefined) ?? []);
    if (url === undefined) continue;
    const why = await follow(url).catch((error: unknown) => (at.signal.aborted ? "over" : reasonOf(error, watched)));
    watched.breaks.push(why);
    if (why === "RESUME_TOKEN_EXPIRED") {
      token = "";
      beginLife(watched);
    }
    await sleep(backOffMs);
  }
}

/** The first one starts with what comes, before anything has happened. Later ones start with everything that is kept. */
function beginLife({ lives }: Watched): number[] {
  const life: number[] = [];
  lives.push(life);
  return life;
}

function open(url: string, token: string, { client, filter, lives }: Watched, { tokens, signal }: Watching) {
  const transport = createConnectTransport({ baseUrl: url, httpVersion: "1.1" });
  const { projectId, types } = filter;
  const request: MessageInitShape<typeof WatchAuthorizationsRequestSchema> = {
    filters: [
      ...(projectId === undefined ? [] : [{ filter: { case: "projectId" as const, value: { id: projectId } } }]),
      ...(types === undefined ? [] : [{ filter: { case: "types" as const, value: { types: [...types] } } }]),
    ],
  };
  if (token !== "") request.start = { case: "resumeToken", value: token };
  else if (lives.length > 1) request.start = { case: "fromBeginning", value: true };
  const headers = { authorization: `Bearer ${tokens.get(client)}` };
  return createClient(AuthorizationHistoryService, transport).watchAuthorizations(request, { headers, signal });
}

async function* untilSilent<T>(messages: AsyncIterable<T>, { wrong }: Watched): AsyncGenerator<T> {
  const iterator = messages[Symbol.asyncIterator]();
  while (true) {
    const over = new AbortController();
    const silence = sleep(longestSilenceMs, "silence" as const, over).catch(() => "silence" as const);
    const next = await Promise.race([iterator.next(), silence]).finally(() => over.abort());
    if (next === "silence") {
      wrong.push(`nothing came for ${longestSilenceMs} ms`);
      return;
    }
    if (next.done) return;
    yield next.value;
  }
}

function note(event: StoredEvent, life: number[], { told, wrong }: Watched): void {
  const before = told.get(event.sequence);
  if (before !== undefined && !isDeepStrictEqual(before, event)) wrong.push(`${event.sequence} was told in two ways`);
  told.set(event.sequence, event);
  life.push(event.sequence);
}

/** Why a stream broke. Only what may end one at any time is not wrong. */
function reasonOf(error: unknown, { wrong }: Watched): string {
  const { code, message, cause } = ConnectError.from(error);
  const reason = ConnectError.from(error).findDetails(ErrorInfoSchema)[0]?.reason;
  if (reason === undefined) return `the connection broke (${(cause as NodeJS.ErrnoException)?.code ?? code})`;
  if (!["RESUME_TOKEN_EXPIRED", "DATABASE_UNAVAILABLE", "OVERLOADED"].includes(reason)) wrong.push(message);
  return reason;
}

function readEvent(event: AuthorizationEvent): StoredEvent {
  const { sequence, type, actor, user, project, organization, roles, state, reason } = event;
  const place = combination(user?.id ?? "", project?.id ?? "", organization?.id ?? "");
  return {
    ...{ sequence: Number(sequence), key: place.key, id: event.authorizationId, type, reason },
    date: toMoment(event.time) ?? Number.NaN,
    actor: actor?.id ?? null,
    roles: roles.map(({ key }) => key).join(","),
    state: state === State.ACTIVE ? "active" : state === State.INACTIVE ? "inactive" : null,
    expirationDate: toMoment(event.expirationDate),
    expirationDateBefore: toMoment(event.expirationDateBefore),
  };
}

function toMoment(time: AuthorizationEvent["time"]): Moment | undefined {
  return time && Math.floor(timestampMs({ ...time, nanos: 0 })) * 1_000 + time.nanos / 1_000;
}
