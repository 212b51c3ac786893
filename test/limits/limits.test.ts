import { EventEmitter } from "node:events";
import { BlockList, isIPv6 } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type LimitsOptions, openLimits } from "../../src/limits/limits.ts";

type Response = ReturnType<typeof makeResponse>;
const makeResponse = () => Object.assign(new EventEmitter(), { writableLength: 0, writableEnded: false });

let limits: ReturnType<typeof openLimits<Response>>;

const start = (options: Partial<LimitsOptions> = {}) => {
  limits = openLimits({ maximumInFlight: 100, maximumRequestBytes: 1_000, ...options }, () => {}, 60_000);
};
beforeEach(() => {
  vi.useFakeTimers();
  start();
});
afterEach(() => {
  limits.stop();
  vi.useRealTimers();
});

function networks(...all: [address: string, length: number][]): BlockList {
  const list = new BlockList();
  for (const [address, length] of all) list.addSubnet(address, length, isIPv6(address) ? "ipv6" : "ipv4");
  return list;
}

/** Opens a request, with what its client does to end it. */
function open(address = "1.1.1.1", userId?: string) {
  const response = makeResponse();
  const request = limits.open(address, response);
  if (request === undefined) return undefined;
  if (userId !== undefined) request.identify(userId);
  return Object.assign(request, { leave: () => void response.emit("close") });
}

type Opened = NonNullable<ReturnType<typeof open>>;

const never = new AbortController().signal;

/** Opens requests until there is no room for another. */
function openAll(address?: string, userId?: string): Opened[] {
  const opened: Opened[] = [];
  for (let request = tryOpen(address, userId); request !== undefined; request = tryOpen(address, userId))
    opened.push(request);
  return opened;
}

/** Like `open`. A request that is refused ends. */
function tryOpen(address = "1.1.1.1", userId?: string): Opened | undefined {
  const request = open(address);
  if (request === undefined || userId === undefined) return request;
  try {
    request.identify(userId);
    return request;
  } catch (error) {
    expect(error).toMatchObject({ reason: "RATE_LIMITED", metadata: { retryAfterSeconds: "1" } });
    request.leave();
    return undefined;
  }
}

test("A request begins in its turn, unless its client has gone", async () => {
  const begun: string[] = [];
  const [stays, goes] = [open(), open()] as [Opened, Opened];
  stays.begin(() => begun.push("stays"));
  goes.begin(() => begun.push("goes"));
  goes.leave();
  vi.advanceTimersToNextTimer();
  await undefined;
  expect(begun).toEqual(["stays"]);
});

describe("Open requests", () => {
  test("of an address without a caller are a fifth of those in flight", () => {
    start({ maximumInFlight: 500 });
    expect(openAll()).toHaveLength(100);
    expect([limits.isFull("1.1.1.1"), limits.isFull("2.2.2.2")]).toEqual([true, false]);
    expect(open("2.2.2.2")).toBeDefined();
  });

  test("of an address may be 50, however few may be in flight", () => {
    start({ maximumInFlight: 2 });
    expect(openAll()).toHaveLength(50);
    expect(openAll("2.2.2.2")).toHaveLength(50);
    expect(limits.isFull("11")).toBe(true);
  });

  test("of a caller are half of those in flight, from whatever addresses", () => {
    expect(openAll("1.1.1.1", "ann")).toHaveLength(50);
    expect(tryOpen("2.2.2.2", "ann")).toBeUndefined();
    expect(tryOpen("2.2.2.2", "bob")).toBeDefined();
  });

  test("of valid callers don't count for their address", () => {
    for (const caller of ["ann", "bob", "cem"]) openAll("1.1.1.1", caller);
    expect(openAll()).toHaveLength(50);
  });

  test("of all are five times those in flight", () => {
    for (const address of ["1", "2", "3", "4", "5", "6", "7", "8", "9"]) openAll(address);
    expect(limits.isFull("11")).toBe(false);
    expect(openAll("10")).toHaveLength(50);
    expect(limits.isFull("11")).toBe(true);
    expect(open("11")).toBeUndefined();
  });

  test("of a trusted proxy have no part, but count in the total", () => {
    start({ trustedProxies: networks(["9.9.9.0", 24]) });
    expect(openAll("9.9.9.9")).toHaveLength(500);
    expect(open("1.1.1.1")).toBeUndefined();
  });

  test("behind a trusted proxy have the part of their caller", () => {
    start({ trustedProxies: networks(["0.0.0.0", 0], ["::", 0]) });
    expect(openAll("9.9.9.9", "ann")).toHaveLength(50);
  });

  test("count until their client has read everything, or has gone", async () => {
    const opened = openAll();
    for (const request of opened) await request.serve(async () => {});
    expect(open()).toBeUndefined();
    for (const request of opened) request.leave();
    expect(openAll()).toHaveLength(50);
  });

  test("of a caller make room in the same way", () => {
    for (const request of openAll("1.1.1.1", "ann")) request.leave();
    expect(openAll("1.1.1.1", "ann")).toHaveLength(50);
  });

  test("don't count for a caller that is found after the client has gone", () => {
    for (let time = 0; time < 1_000; time += 1) {
      const request = open() as Opened;
      request.leave();
      request.identify("ann");
    }
    expect(openAll("1.1.1.1", "ann")).toHaveLength(50);
    expect(openAll()).toHaveLength(50);
  });

  test("wait for Postgres in the turn of the caller who is expected, but count for their address until they have one", () => {
    const request = open() as Opened;
    request.expect("ann");
    expect([request.turn, request.holder]).toEqual(["caller ann", "address 1.1.1.1"]);
    request.identify("bob");
    expect([request.turn, request.holder]).toEqual(["caller bob", "caller bob"]);
  });

  test("of a caller who has its part may be answered again", () => {
    const [first] = openAll("1.1.1.1", "ann");
    expect(() => first?.identify("ann")).not.toThrow();
  });

  test("are held by their address until they have a caller", () => {
    const request = open() as Opened;
    expect(request.holder).toBe("address 1.1.1.1");
    request.identify("1.1.1.1");
    expect(request.holder).toBe("caller 1.1.1.1");
  });
});

describe("Calls that need no credentials", () => {
  let addresses = 0;
  const join = (service: string, kind: "unary" | "server_streaming", address = `10.0.${addresses++ % 200}.1`) => {
    const request = open(address) as Opened;
    return { ...request, isCounted: request.joinCalls(service, kind) };
  };

  test("may be 500 streams of a service, from whatever addresses, and 100 others", () => {
    start({ maximumInFlight: 10_000 });
    const streams = Array.from({ length: 501 }, () => join("health", "server_streaming"));
    expect(streams.map(({ isCounted }) => isCounted).indexOf(false)).toBe(500);
    expect(join("other", "server_streaming").isCounted).toBe(true);
    const checks = Array.from({ length: 101 }, () => join("health", "unary"));
    expect(checks.map(({ isCounted }) => isCounted).indexOf(false)).toBe(100);
    streams[0]?.leave();
    expect(join("health", "server_streaming").isCounted).toBe(true);
  });

  test("are no more than those of a caller", () => {
    const streams = Array.from({ length: 51 }, () => join("health", "server_streaming"));
    expect(streams.map(({ isCounted }) => isCounted).indexOf(false)).toBe(50);
  });

  test("may be half of that of one address, unless it is a trusted proxy", () => {
    const from = (address: string) => Array.from({ length: 51 }, () => join("health", "unary", address).isCounted);
    expect(from("1.1.1.1").indexOf(false)).toBe(25);
    expect(join("health", "unary", "2.2.2.2").isCounted).toBe(true);
    start({ trustedProxies: networks(["1.1.1.1", 32]) });
    expect(from("1.1.1.1").indexOf(false)).toBe(50);
  });

  test("of an address have room again when one ends", () => {
    const calls = Array.from({ length: 25 }, () => join("health", "unary", "1.1.1.1"));
    expect(join("health", "unary", "1.1.1.1").isCounted).toBe(false);
    calls[0]?.leave();
    expect(join("health", "unary", "1.1.1.1").isCounted).toBe(true);
  });

  test("don't count for their address", () => {
    for (let time = 0; time < 25; time += 1) expect(join("health", "unary", "1.1.1.1").isCounted).toBe(true);
    expect(openAll()).toHaveLength(50);
  });
});

describe("Dear work", () => {
  test("of a caller is done one by one, for half of the time, beside that of others", async () => {
    const begun: string[] = [];
    /** Takes 50 ms. */
    const work = (name: string, userId: string) => {
      const request = open("1.1.1.1", userId) as Opened;
      return request.serve(async () => {
        await request.takeDearTurn(never);
        // A request that is answered again keeps its turn.
        await request.takeDearTurn(never);
        begun.push(name);
        await new Promise((resolve) => setTimeout(resolve, 50));
      });
    };
    const all = [work("ann's first", "ann"), work("ann's second", "ann"), work("bob's", "bob")];
    await vi.advanceTimersByTimeAsync(0);
    expect(begun).toEqual(["ann's first", "bob's"]);
    await vi.advanceTimersByTimeAsync(99);
    expect(begun).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(begun).toEqual(["ann's first", "bob's", "ann's second"]);
    await vi.advanceTimersByTimeAsync(50);
    await Promise.all(all);
  });

  test("waits for five seconds, and for no longer than its request; others of the caller have their turn after that", async () => {
    const first = open("1.1.1.1", "ann") as Opened;
    const over = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const all = [
      first.serve(async () => {
        await first.takeDearTurn(never);
        await ended;
      }),
      (open("1.1.1.1", "ann") as Opened).takeDearTurn(over.signal),
      (open("1.1.1.1", "ann") as Opened).takeDearTurn(never),
    ];
    const settled = Promise.allSettled(all);
    await vi.advanceTimersByTimeAsync(1_000);
    over.abort(new Error("the client has gone"));
    await vi.advanceTimersByTimeAsync(4_000);
    const last = (open("1.1.1.1", "ann") as Opened).takeDearTurn(never);
    end();
    // Its turn took five seconds, of which others have two.
    await vi.advanceTimersByTimeAsync(2_000);
    await last;
    const reasons = (await settled).map((one) =>
      one.status === "rejected" ? (one.reason.reason ?? one.reason.message) : "",
    );
    expect(reasons).toEqual(["", "the client has gone", "OVERLOADED"]);
  });
});

describe("An address that wastes requests", () => {
  const connect = (address: string) => limits.mayConnect(address);
  const waste = (address: string, requests: number) => limits.waste(address, requests);

  test("may waste 200 in two seconds", async () => {
    expect(await waste("1.1.1.1", 200)).toBe(false);
    vi.advanceTimersByTime(2_000);
    expect(await waste("1.1.1.1", 200)).toBe(false);
    expect(await Promise.all([1, 2, 3].map(() => connect("1.1.1.1")))).toEqual([true, true, true]);
  });

  test("opens one connection a second until it has wasted nothing for ten seconds, and others as they like", async () => {
    expect(await waste("1.1.1.1", 201)).toBe(true);
    expect([await connect("1.1.1.1"), await connect("2.2.2.2")]).toEqual([false, true]);
    vi.advanceTimersByTime(1_000);
    expect(await waste("1.1.1.1", 1)).toBe(true);
    expect([await connect("1.1.1.1"), await connect("1.1.1.1")]).toEqual([true, false]);
    expect(await waste("1.1.1.1", 1)).toBe(true);
    vi.advanceTimersByTime(9_999);
    expect([await connect("1.1.1.1"), await connect("1.1.1.1")]).toEqual([true, false]);
    vi.advanceTimersByTime(1);
    expect([await connect("1.1.1.1"), await connect("1.1.1.1")]).toEqual([true, true]);
    expect(await waste("1.1.1.1", 1)).toBe(false);
  });

  test("may waste its part in each of several workers, and opens its part of connections there", async () => {
    start({ workers: 4 });
    expect([await waste("1.1.1.1", 100), await waste("1.1.1.1", 1)]).toEqual([false, true]);
    vi.advanceTimersByTime(3_999);
    expect(await connect("1.1.1.1")).toBe(false);
    vi.advanceTimersByTime(1);
    expect([await connect("1.1.1.1"), await connect("1.1.1.1")]).toEqual([true, false]);
  });

  test("is not slowed down if it is a trusted proxy", async () => {
    start({ trustedProxies: networks(["1.1.1.1", 32]) });
    expect(await waste("1.1.1.1", 201)).toBe(false);
    expect([await connect("1.1.1.1"), await connect("1.1.1.1")]).toEqual([true, true]);
  });
});

describe("Places", () => {
  beforeEach(() => start({ maximumInFlight: 2 }));

  test("are free again once a response is handed over, though it is unread, and only once", async () => {
    const [first, second] = [open(), open()] as [Opened, Opened];
    for (const request of [first, second]) request.admit();
    await first.serve(async () => {});
    first.leave();
    expect([open(), open()].map((request) => request?.admit())).toEqual([true, false]);
  });

  test("of clients that have gone are free once the work for them has ended", async () => {
    const [first, second] = [open(), open()] as [Opened, Opened];
    for (const request of [first, second]) request.admit();
    const { promise: work, resolve: end } = Promise.withResolvers<void>();
    const served = first.serve(() => work);
    first.leave();
    expect(open()?.admit()).toBe(false);
    end();
    await served;
    expect([open(), open()].map((request) => request?.admit())).toEqual([true, false]);
  });

  test("of refused requests don't exist, so their end frees none", () => {
    const requests = [open(), open(), open()] as [Opened, Opened, Opened];
    for (const request of requests) request.admit();
    requests[2].leave();
    expect(open()?.admit()).toBe(false);
  });
});

describe("Large bodies", () => {
  /** Waits until everything has begun that can. */
  const settle = async () => void (await vi.advanceTimersByTimeAsync(0));

  test("are read one at a time, in turns of their callers, for at most half of the time", async () => {
    const read: string[] = [];
    const take = (userId: string) => {
      const request = open("1.1.1.1", userId) as Opened;
      request.takeTurn(never).then(() => read.push(userId));
      return request;
    };
    const [first] = [take("ann"), take("ann"), take("ann"), take("bob")];
    await settle();
    expect(read).toEqual(["ann"]);
    vi.advanceTimersByTime(60);
    first.endTurn();
    await vi.advanceTimersByTimeAsync(59);
    expect(read).toEqual(["ann"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(read).toEqual(["ann", "bob"]);
  });

  test("of a request that has ended leave their turn to others", async () => {
    const one = open("1.1.1.1", "ann") as Opened;
    await one.serve(() => one.takeTurn(never));
    const other = open("1.1.1.1", "bob") as Opened;
    const turn = other.takeTurn(never);
    await settle();
    await expect(turn).resolves.toBeUndefined();
  });
});
