import { ErrorInfoSchema } from "./gen/google/rpc/error_details_pb.js";
import { AuthorizationFieldName } from "./gen/service/authorization/v2/authorization_pb.js";

/** The server says something every 15 seconds. */
const longestSilenceMs = 40_000;
const shortestPauseMs = 100;
const longestPauseMs = 5_000;

const unauthenticated = 16;
/**
 * Codes of errors that the same request meets again: invalid_argument, not_found, permission_denied, unimplemented, and none,
 * for mistakes in the program.
 */
const lasting = new Set([3, 5, 7, 12, unauthenticated, undefined]);

export async function* keepCopy({ authorizations, history, caller }, { where = {}, signal } = {}) {
  const filters = Object.entries(where).map(([name, id]) => ({ filter: { case: name, value: { id } } }));
  let copy;
  let resumeToken;
  let rights;
  let isStale = true;
  let pauseMs = shortestPauseMs;
  let rowsOfPage = 1_000;

  async function list(options, over) {
    const rows = new Map();
    let pageToken = "";
    do {
      const request = {
        pagination: { limit: rowsOfPage, pageToken, asc: true, skipTotal: true },
        sortingColumn: AuthorizationFieldName.ID,
        filters,
      };
      const answered = await answer(authorizations.listAuthorizations(request, options), over);
      for (const row of answered.authorizations) rows.set(row.id, fromRow(row));
      pageToken = answered.pagination.nextPageToken;
    } while (pageToken !== "");
    return rows;
  }

  while (!signal?.aborted) {
    const over = new AbortController();
    const options = { signal: signal === undefined ? over.signal : AbortSignal.any([signal, over.signal]) };
    let isFirst = true;
    try {
      const start = resumeToken === undefined ? undefined : { case: "resumeToken", value: resumeToken };
      // A transport may have a deadline for calls that are answered once.
      const messages = history.watchAuthorizations({ filters, ...(start && { start }) }, { ...options, timeoutMs: 0 });
      for await (const { events, rightsChanged, resumeToken: next } of untilSilent(messages, over)) {
        isStale ||= rightsChanged;
        if (isFirst || rightsChanged) {
          // A token holds no rights: they may have changed while there was no stream.
          const now = await rightsOf(caller, options, over);
          isStale ||= now !== rights;
          rights = now;
        }
        // After the stream has begun, so nothing is missed in between.
        if (isStale) copy = await list(options, over);
        isStale = false;
        for (const event of events) apply(event, copy);
        isFirst = false;
        resumeToken = next;
        pauseMs = shortestPauseMs;
        yield copy;
      }
    } catch (error) {
      if (signal?.aborted) return;
      const { reason, metadata } = error.findDetails?.(ErrorInfoSchema)[0] ?? {};
      if (reason === "RESUME_TOKEN_EXPIRED") {
        isStale = true;
        resumeToken = undefined;
      } else if (reason === "LIMIT_EXCEEDED" && metadata.maximum < rowsOfPage) rowsOfPage = Number(metadata.maximum);
      // A stream that was accepted ends when its token expires, and the transport may send the next token.
      else if (lasting.has(error.code) && (isFirst || error.code !== unauthenticated)) throw error;
    } finally {
      over.abort();
    }
    // Many copies must not come back at once.
    await sleep(pauseMs * (0.5 + Math.random()), signal);
    pauseMs = Math.min(2 * pauseMs, longestPauseMs);
  }
}

/** Ends a stream that is silent for too long, because its connection may be gone. */
async function* untilSilent(messages, over) {
  const listen = () => setTimeout(() => over.abort(), longestSilenceMs);
  let timer = listen();
  try {
    for await (const message of messages) {
      clearTimeout(timer);
      yield message;
      timer = listen();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Gives up everything if a call isn't answered. */
async function answer(call, over) {
  const timer = setTimeout(() => over.abort(), longestSilenceMs);
  return call.finally(() => clearTimeout(timer));
}

/** What the caller may do and where, as a text that is equal if that is. A new name of a place is no other right. */
async function rightsOf(caller, options, over) {
  const { permissions } = await answer(caller.getCaller({}, options), over);
  return JSON.stringify(permissions, (key, value) => (key === "name" ? undefined : value));
}

/**
 * An event that is not newer than a row is part of it already. Only the change date of a row that has ended says nothing: it is
 * the end, and a change from before that may be committed after it.
 */
function apply(event, copy) {
  const known = copy.get(event.authorizationId);
  if (known !== undefined && !hasEnded(known) && !isNewer(event.time, known.changeDate)) return;
  if (event.type.endsWith(".removed")) copy.delete(event.authorizationId);
  else copy.set(event.authorizationId, fromEvent(event));
}

function hasEnded({ expirationDate, changeDate }) {
  return expirationDate !== undefined && !isNewer(expirationDate, changeDate);
}

function isNewer(time, than) {
  return time.seconds === than.seconds ? time.nanos > than.nanos : time.seconds > than.seconds;
}

const fromRow = ({ id, user, project, organization, roles, state, changeDate, expirationDate }) =>
  copied({ id, user, project, organization, roles, state, changeDate, expirationDate });

const fromEvent = ({ authorizationId: id, user, project, organization, roles, state, time, expirationDate }) =>
  copied({ id, user, project, organization, roles, state, changeDate: time, expirationDate });

function copied({ user, project, organization, roles, ...rest }) {
  const ids = { userId: user.id, projectId: project.id, organizationId: organization.id };
  return { ...rest, ...ids, roleKeys: roles.map(({ key }) => key) };
}

function sleep(ms, signal) {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal?.addEventListener("abort", wake);
  });
}
