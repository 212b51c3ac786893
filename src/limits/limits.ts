import { AsyncLocalStorage } from "node:async_hooks";
import { BlockList, isIPv6 } from "node:net";
import { Refusal } from "../authorization/refusal.ts";
import { countOf, type Holder } from "./count.ts";
import { type FairQueue, fairQueue } from "./fair-queue.ts";
import { openPace } from "./pace.ts";
import { type Unread, watchUnread } from "./unread.ts";
import { openWastedRequests } from "./wasted-requests.ts";

/**
 * Fairness is one idea: a request is counted once, with its caller (with its address until it has one), for everything that
 * it holds. Each of these has a total, and a part of it that one caller may hold:
 *
 * | What | From | Until | Total | Part |
 * |---|---|---|---|---|
 * | being open | its headers | its last byte has left | 5 × MAX_REQUESTS_IN_FLIGHT | half of MAX_REQUESTS_IN_FLIGHT; a fifth for an address |
 * | a turn of the event loop | admission | it begins | ten requests (pace.ts) | – |
 * | a place | admission | its response is handed over | MAX_REQUESTS_IN_FLIGHT | half of it, because it is open |
 * | bytes of its body | their arrival | its response is handed over | 16 × MAX_REQUEST_BYTES | half |
 * | the event loop, for a large body | it is complete | it is read | one body, half of the time | one body; callers take turns (fair-queue.ts) |
 * | bytes of its response | they are written | they are read | 64 MiB | a quarter |
 * | a connection to Postgres | its turn | its statement has ended | DATABASE_POOL_SIZE | half (fair-queue.ts) |
 * | dear work, for which others give time | its turn | its response is handed over | – | one, half of the time |
 *
 * Who wastes requests holds nothing for long, but gets new connections slowly (wasted-requests.ts). What exceeds a total is
 * OVERLOADED, and what exceeds a part RATE_LIMITED. Before a request has a caller, it is closed unread instead.
 * docs/internals/security-evidence.md says what this promises.
 */
export type Limits<Response extends Unread> = ReturnType<typeof openLimits<Response>>;

/** What one request holds. Everything is given back when it is served, and the client has read the response or has gone. */
export type OpenRequest = Readonly<NonNullable<ReturnType<Limits<Unread>["open"]>>>;

/** The request for which work is done, so that it waits for Postgres in its caller's turn. */
export const requestInTurn = new AsyncLocalStorage<{ readonly turn: Holder }>();

export type LimitsOptions = {
  readonly maximumInFlight: number;
  readonly maximumRequestBytes: number;
  /** Addresses and networks whose requests are those of many callers. */
  readonly trustedProxies?: BlockList;
  /** How many processes share the port, and what an address may waste. */
  readonly workers?: number;
};

/** How many requests may be open for each one in flight: also those that are refused, or whose response isn't read. */
const openForEach = 5;
/** An address, and calls without credentials, may always have this many open, however few may be in flight. */
const leastOfAddress = 50;
/** How many calls of a service that needs no credentials may be open, half of them of one address. */
const mostCalls = { unary: 100, server_streaming: 500, client_streaming: 0, bidi_streaming: 100 };
/** How many bodies of the largest size may be held at once. */
const largestAtOnce = 16;
/** How many large bodies may wait to be read, how much dear work, and how long, in milliseconds; and the longest rest. */
const waitingBodies = { mostWaiting: 200, longestWaitMs: 30_000 };
const waitingWork = { mostWaiting: 200, longestWaitMs: 5_000 };
const longestRestMs = 2_000;

/**
 * @param giveUp ends a response that its client doesn't read
 * @param longestMs how long a client may read nothing of it, in milliseconds
 */
export function openLimits<Response extends Unread>(
  { maximumInFlight, maximumRequestBytes, trustedProxies = new BlockList(), workers = 1 }: LimitsOptions,
  giveUp: (response: Response) => void,
  longestMs: number,
) {
  const mostOfCaller = Math.ceil(maximumInFlight / 2);
  const mostOfAddress = Math.max(Math.ceil(maximumInFlight / 5), leastOfAddress);
  const mostOfCalls = Math.max(mostOfCaller, leastOfAddress);
  const mostBytes = largestAtOnce * maximumRequestBytes;
  const requests = countOf(Math.max(openForEach * maximumInFlight, 2 * mostOfAddress));
  const places = countOf(maximumInFlight);
  const ofServices = countOf(Number.POSITIVE_INFINITY);
  const bodies = countOf(mostBytes);
  const readings = fairQueue({ most: 1, ...waitingBodies });
  const dears = fairQueue({ most: Number.POSITIVE_INFINITY, mostOfOne: 1, ...waitingWork });
  const unread = watchUnread(giveUp, longestMs);
  const wasted = openWastedRequests(workers);
  const pace = openPace();

  function open(address: Holder, response: Response) {
    let isCounted = true;
    let isClosed = false;
    let bytes = 0;
    let hasPlace = false;
    let isServed = true;
    let endTurn = () => {};
    let endDearTurn: (() => void) | undefined;
    const request = {
      holder: address,
      /** Whether its caller is known, or expected. */
      hasCaller: false,
      /** In whose turn it waits for Postgres: its holder's, or that of the caller who is expected. */
      turn: address,
      /** Gives it a place among the requests in flight. Returns false if there is none. */
      admit(): boolean {
        hasPlace = places.exceeded(undefined, 1) === undefined;
        if (hasPlace) places.add(undefined, 1);
        return hasPlace;
      },
      /** Begins it in one of the next turns of the event loop, unless its client has gone by then. */
      begin: (work: () => void) => pace(() => isClosed || work()),
      /** Lets it wait for Postgres in the turn of the caller whose its credentials were before, until they are looked up again. */
      expect(userId: string): void {
        request.turn = `caller ${userId}`;
        request.hasCaller = true;
      },
      /** Counts it with its caller from now on. Throws RATE_LIMITED if the caller already has its part. */
      identify(userId: string): void {
        const caller = `caller ${userId}`;
        // When it is answered again.
        if (request.holder === caller) return;
        if (requests.exceeded(caller, 1, mostOfCaller) === "part")
          throw tooMuch(`more than ${mostOfCaller} requests at once; try again later`);
        become(caller);
        request.hasCaller = true;
      },
      /** Counts it with all calls of a service that needs no credentials. Returns false if there are too many of its kind. */
      joinCalls(service: string, kind: keyof typeof mostCalls): boolean {
        const calls = `${kind} calls of ${service}`;
        const most = Math.min(mostCalls[kind], mostOfCalls);
        const fromHere = address && `${calls} from ${address}`;
        if (ofServices.exceeded(fromHere, 1, most / 2) || requests.exceeded(calls, 1, most) === "part") return false;
        become(calls);
        ofServices.add(fromHere, 1);
        response.once("close", () => ofServices.add(fromHere, -1));
        return true;
      },
      /** Counts it no more, because it is a stream now, and those are counted elsewhere. */
      leave(): void {
        count(-1);
        isCounted = false;
      },
      /** Ends its response, because its client doesn't read it. */
      reset: () => giveUp(response),
      /** Counts bytes of its body. Throws RATE_LIMITED or OVERLOADED. */
      hold(more: number): void {
        const exceeded = bodies.exceeded(request.holder, more, mostBytes / 2);
        if (exceeded === "part") throw tooMuch("too many large requests at once; try again later");
        if (exceeded === "total") throw new Refusal("OVERLOADED", "too many large requests at once; try again");
        bodies.add(request.holder, more);
        bytes += more;
      },
      /** Waits until its large body may be read. Rejects with the signal's reason, or OVERLOADED if too many wait. */
      async takeTurn(signal: AbortSignal): Promise<void> {
        endTurn = await takeTurn(readings, request.holder, signal);
      },
      /** Waits until it may do work that takes much longer than that of most requests. Its turn ends with its response. */
      async takeDearTurn(signal: AbortSignal): Promise<void> {
        endDearTurn ??= await takeTurn(dears, request.holder, signal);
      },
      /** Ends the turn for its body, because that is read. */
      endTurn(): void {
        endTurn();
        endTurn = () => {};
      },
      /**
       * Does what the request asks for, until its response is handed over. Then it gives back its place and the bytes of its
       * body. A client that cancels gets nothing back before the work for it has ended.
       */
      async serve<T>(work: () => Promise<T>): Promise<T> {
        isServed = false;
        try {
          return await requestInTurn.run(request, work);
        } finally {
          isServed = true;
          request.endTurn();
          endDearTurn?.();
          giveBack();
        }
      },
    };
    const count = (amount: number) => isCounted && requests.add(request.holder, amount);
    function become(holder: Holder): void {
      count(-1);
      request.holder = holder;
      request.turn = holder;
      count(1);
    }
    function giveBack(): void {
      if (!isServed) return;
      bodies.add(request.holder, -bytes);
      if (hasPlace) places.add(undefined, -1);
      bytes = 0;
      hasPlace = false;
      if (!isClosed) return;
      count(-1);
      isCounted = false;
    }
    count(1);
    unread.watch(request, response);
    response.once("close", () => {
      isClosed = true;
      giveBack();
    });
    return request;
  }

  /** A client of IPv4 on a server of IPv6 has an address such as ::ffff:10.0.0.1. */
  function holderAt(address: string): Holder {
    return trustedProxies.check(address, isIPv6(address) ? "ipv6" : "ipv4") ? undefined : `address ${address}`;
  }

  function isFull(address: string): boolean {
    return requests.exceeded(holderAt(address), 1, mostOfAddress) !== undefined;
  }

  return {
    /** Counts a request from its headers on. Undefined if it must be closed unread. */
    open: (address: string, response: Response) => (isFull(address) ? undefined : open(holderAt(address), response)),
    /** Whether nothing more can be opened from an address. */
    isFull,
    /** Resolves to whether a connection from an address may be served. */
    mayConnect: async (address: string) => !isFull(address) && (await wasted.mayConnect(holderAt(address))),
    /** Counts what an address has wasted. Resolves to whether it is too much, so the connection must be closed. */
    waste: (address: string, requests: number) => wasted.waste(holderAt(address), requests),
    stop: unread.stop,
  };
}

/** Waits for a turn. When that has ended, others have the processor for as long. */
async function takeTurn(queue: FairQueue, holder: Holder, signal: AbortSignal): Promise<() => void> {
  const end = await queue.take(holder, signal);
  const began = performance.now();
  return () => void setTimeout(end, Math.min(performance.now() - began, longestRestMs));
}

function tooMuch(message: string): Refusal {
  return new Refusal("RATE_LIMITED", message, { retryAfterSeconds: "1" });
}
