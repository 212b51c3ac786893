import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { NamedEvent } from "../../src/authorization/event.ts";
import type { AuthorizationFeed, EventKey, FeedPosition, Moment } from "../../src/authorization/feed.ts";
import type { Caller } from "../../src/authorization/permissions.ts";
import { Refusal } from "../../src/authorization/refusal.ts";
import type { Identified } from "../../src/identity/store.ts";
import { type OpenRequest, requestInTurn } from "../../src/limits/limits.ts";
import { couldConcern } from "../../src/watch/concerns.ts";
import { openWatching, type Watching } from "../../src/watch/watching.ts";

/** A feed whose events become visible when a test says so. Its transactions have the numbers of their events. */
class FakeFeed implements AuthorizationFeed {
  readonly events: EventKey[] = [];
  source = "primary";
  looks = 0;
  /** Whose turns the looks would wait in. */
  readonly turns = new Set<unknown>();
  readonly reads: string[] = [];
  /** From the first to the last event that each read was asked for. */
  readonly spans: string[] = [];
  failure: unknown;
  /** How many events a look finds in time. */
  mostLooked = Number.POSITIVE_INFINITY;
  /** What reads wait for. */
  gate: Promise<unknown> = Promise.resolve();

  append(userId: string): void {
    const place = { projectId: "shop", organizationId: "acme", projectGrantId: "", actorId: null };
    this.events.push({ type: "user.grant.added", authorizationId: `a${this.events.length + 1}`, userId, ...place });
  }
  get moment(): Moment {
    return { source: this.source, next: BigInt(this.events.length), running: [] };
  }
  #require(moment: Moment | undefined) {
    if (this.failure !== undefined) throw this.failure;
    if (moment !== undefined && moment.source !== this.source) throw new Refusal("RESUME_TOKEN_EXPIRED", "gone");
  }
  async look(since: Moment | undefined) {
    this.looks += 1;
    this.turns.add(requestInTurn.getStore()?.turn);
    this.#require(since);
    const isTooMuch = since !== undefined && this.events.length - Number(since.next) > this.mostLooked;
    if (isTooMuch) throw new DOMException("too late", "TimeoutError");
    const { moment } = this;
    const events = since === undefined ? [] : this.events.slice(Number(since.next));
    return { moment, span: since && (await this.span(since, moment)), events };
  }
  async span(since: Moment | undefined, until: Moment) {
    this.#require(since);
    const first = since?.next ?? 0n;
    return first < until.next ? { first, last: until.next - 1n } : undefined;
  }
  async read({ userId, entries }: Caller, _filters: unknown, { seen, sending }: FeedPosition) {
    if (sending === undefined) throw new Error("nothing to read");
    const next = sending.after + 1n;
    this.reads.push(userId);
    this.spans.push(`${next}..${sending.last}`);
    await this.gate;
    this.#require(seen);
    const isLast = next === sending.last;
    const event = this.events[Number(next)];
    const events = (entries.length > 0 || event?.userId === userId ? [event] : []) as unknown as NamedEvent[];
    return { events, position: isLast ? { seen: sending.until } : { seen, sending: { ...sending, after: next } } };
  }
}

const everywhere = [{ scope: { kind: "instance", id: "" } as const, roles: ["IAM_OWNER"] as const }];
const holding = (userId: string, version = "1", entries: Identified["caller"]["entries"] = []): Identified => ({
  caller: { userId, entries, version },
  tokenHash: undefined,
});

let feed: FakeFeed;
let stopping: AbortController;
let changed: (one: Identified) => boolean;
/** What comparisons of callers wait for. */
let comparing: Promise<unknown> | undefined;
let found: Map<string, Identified | undefined>;
/** What recalling a caller waits for, and whether its credentials have expired, which no comparison of callers knows. */
let recalling: Promise<unknown> | undefined;
let areExpired: boolean;
let left: string[];
let watching: Watching;
const limits = { maximumStreams: 5, maximumStreamMs: 60_000 };

beforeEach(() => {
  vi.useFakeTimers();
  feed = new FakeFeed();
  stopping = new AbortController();
  changed = () => false;
  comparing = undefined;
  found = new Map();
  recalling = undefined;
  areExpired = false;
  left = [];
  const callers = {
    async changedOf<One extends Identified>(all: readonly One[]) {
      const those = all.filter(changed);
      if (comparing !== undefined) await comparing;
      return those;
    },
  };
  watching = openWatching({ feed, callers, limits, stopping: stopping.signal });
});
afterEach(() => {
  vi.useRealTimers();
});

type Stream = ReturnType<typeof open>;
type Asked = { start?: FeedPosition; entries?: typeof everywhere; filtersId?: string };

/** Opens a stream, and returns what it sends next: the ids of its events, or how it ended. */
function open(userId: string, { start, entries = [], filtersId = "" }: Asked = {}) {
  const over = new AbortController();
  const end = () => over.abort(new Error("gone"));
  onTestFinished(end);
  const held = { holder: `caller ${userId}`, leave: () => left.push(userId) } as unknown as OpenRequest;
  const identified = holding(userId, "1", entries);
  const messages = watching({
    ...{ identified, filters: [], filtersId, start, held, signal: over.signal },
    async identifyAgain(mayRemember) {
      if (areExpired) throw new Refusal("UNAUTHENTICATED", "expired");
      if (recalling !== undefined) await recalling;
      if (mayRemember) return { ...identified, caller: { ...identified.caller } };
      const now = found.has(userId) ? found.get(userId) : identified;
      if (now === undefined) throw new Refusal("UNAUTHENTICATED", "gone");
      return now;
    },
  });
  let position: FeedPosition | undefined;
  const next = async () => {
    try {
      const { value, done } = await requestInTurn.run(held, () => messages.next());
      if (done) return "end";
      position = value.position;
      return [
        ...value.events.map(({ authorizationId }) => authorizationId),
        ...(value.haveRightsChanged ? ["rights"] : []),
      ];
    } catch (error) {
      return (error as Refusal).reason;
    }
  };
  return { next, end, position: () => position as FeedPosition };
}

/** Opens a stream that has sent its first message. */
async function begun(...asked: Parameters<typeof open>): Promise<Stream> {
  const stream = open(...asked);
  expect(await within(0, stream.next())).toEqual([]);
  return stream;
}

const nextOf = (streams: readonly Stream[]) => Promise.all(streams.map((stream) => stream.next()));

/** What a promise has resolved to after that time; undefined if it hasn't. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let result: T | undefined;
  void promise.then((value) => {
    result = value;
  });
  await vi.advanceTimersByTimeAsync(ms);
  return result;
}

describe("A stream", () => {
  test("begins with an empty message, and sends what is visible then, each event once", async () => {
    feed.append("ann");
    const stream = open("ann");
    expect(await within(0, stream.next())).toEqual([]);
    const next = stream.next();
    expect(await within(1_000, next)).toBeUndefined();
    feed.append("ann");
    feed.append("ann");
    expect(await within(200, next)).toEqual(["a2"]);
    expect(await within(200, stream.next())).toEqual(["a3"]);
    expect(stream.position()).toEqual({ seen: feed.moment });
  });

  test("continues from the middle of what became visible at once", async () => {
    const stream = await begun("ann");
    for (const _ of "123") feed.append("ann");
    expect(await within(200, stream.next())).toEqual(["a1"]);
    stream.end();
    feed.append("ann");
    const other = open("ann", { start: stream.position() });
    const ids = [];
    for (const _ of "234") ids.push(...((await within(500, other.next())) ?? []));
    expect(ids).toEqual(["a2", "a3", "a4"]);
  });

  test("reads what became visible while it waited for its turn, too", async () => {
    const streams = ["ann", "bob", "cat", "dan"].map((userId) =>
      open(userId, { entries: everywhere, filtersId: userId }),
    );
    await within(0, nextOf(streams));
    const gate = Promise.withResolvers<void>();
    feed.gate = gate.promise;
    feed.append("ann");
    const next = streams.map((stream) => stream.next());
    await vi.advanceTimersByTimeAsync(1_000);
    feed.append("ann");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(feed.spans).toEqual(["0..0", "0..0", "0..0"]);
    gate.resolve();
    expect(await within(0, Promise.all(next))).toEqual([["a1"], ["a1"], ["a1"], ["a1"]]);
    expect(feed.spans.at(3)).toBe("0..1");
    expect(await within(200, nextOf(streams))).toEqual([["a2"], ["a2"], ["a2"], ["a2"]]);
  });

  test("is not added to in the middle of what became visible at once", async () => {
    const stream = await begun("ann");
    for (const _ of "12") feed.append("ann");
    expect(await within(200, stream.next())).toEqual(["a1"]);
    feed.append("ann");
    await vi.advanceTimersByTimeAsync(500);
    expect(await within(0, stream.next())).toEqual(["a2"]);
    expect(await within(500, stream.next())).toEqual(["a3"]);
    expect(feed.spans).toEqual(["0..1", "1..1", "2..2"]);
  });

  test("leaves Postgres time: 200 reads a second in all, of which those of a second can be made up for", async () => {
    const stream = await begun("ann");
    for (let event = 0; event < 400; event += 1) feed.append("ann");
    await within(200, stream.next());
    let next = stream.next();
    let atOnce = 1;
    for (; (await within(1, next)) !== undefined; atOnce += 1) next = stream.next();
    // One more can be read in each 5 of the milliseconds that this takes.
    expect(Math.abs(atOnce - 250)).toBeLessThan(5);
    for (const _ of "12345") {
      expect(await within(5, next)).toBeDefined();
      next = stream.next();
      expect(await within(0, next)).toBeUndefined();
    }
  });

  test("doesn't read what could not be its caller's, and moves on", async () => {
    const [ann, root] = [open("ann"), open("root", { entries: everywhere })];
    await within(0, Promise.all([ann.next(), root.next()]));
    feed.append("bob");
    const next = ann.next();
    expect(await within(300, root.next())).toEqual(["a1"]);
    expect(feed.reads).toEqual([""]);
    expect(await within(8_000, next)).toEqual([]);
    expect(ann.position()).toEqual({ seen: feed.moment });
  });

  test("shares what it reads with those of the same caller, and looks with all others", async () => {
    const streams = [open("ann"), open("ann"), open("bob"), open("bob")];
    await within(0, nextOf(streams));
    const before = feed.looks;
    feed.append("ann");
    await within(1_000, nextOf(streams.slice(0, 2)));
    expect(feed.reads).toEqual(["ann"]);
    expect(feed.looks - before).toBeLessThan(10);
    for (const stream of streams) stream.end();
    await vi.advanceTimersByTimeAsync(1_000);
    const after = feed.looks;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(feed.looks).toBe(after);
  });

  test("looks in no caller's turn", async () => {
    const streams = [open("ann"), open("bob")];
    for (const stream of streams) expect(await within(0, stream.next())).toEqual([]);
    expect([...feed.turns]).toEqual(["the feed"]);
  });

  test("shares what it reads with all who have the same entries, unless it is about its caller", async () => {
    const streams = ["ann", "bob", "cat"].map((userId) => open(userId, { entries: everywhere }));
    await within(0, nextOf(streams));
    feed.append("ann");
    const all = [["a1"], ["a1"], ["a1"]];
    expect(await within(1_000, nextOf(streams))).toEqual(all);
    expect(feed.reads.sort()).toEqual(["", "ann"]);
  });

  test("reads for itself what is about its caller and became visible while it waited for its turn", async () => {
    const busy = ["cat", "dan", "eve"].map((userId) => open(userId, { entries: everywhere, filtersId: userId }));
    const ann = open("ann", { entries: everywhere });
    await within(0, nextOf([...busy, ann]));
    const gate = Promise.withResolvers<void>();
    feed.gate = gate.promise;
    feed.append("fay");
    const next = [...busy, ann].map((stream) => stream.next()).at(-1) as Promise<unknown>;
    await vi.advanceTimersByTimeAsync(200);
    feed.append("ann");
    await vi.advanceTimersByTimeAsync(200);
    gate.resolve();
    expect(await within(200, next)).toEqual(["a1"]);
    expect(await within(200, ann.next())).toEqual(["a2"]);
    expect(feed.reads.filter((userId) => userId === "ann")).toHaveLength(2);
  });

  describe("whose client goes while others read", () => {
    /** All turns are taken by streams with filters of their own. Two more wait to share what one of them reads. */
    async function waiting() {
      const busy = ["cat", "dan", "eve"].map((userId) => open(userId, { entries: everywhere, filtersId: userId }));
      const [ann, bob] = ["ann", "bob"].map((userId) => open(userId, { entries: everywhere })) as [Stream, Stream];
      await within(0, nextOf([...busy, ann, bob]));
      const gate = Promise.withResolvers<void>();
      feed.gate = gate.promise;
      feed.append("fay");
      const [, bobs] = [...busy, ann, bob].map((stream) => stream.next()).slice(-2) as [unknown, Promise<unknown>];
      await vi.advanceTimersByTimeAsync(200);
      expect(feed.reads).toHaveLength(3);
      return { ann, bob, bobs, gate };
    }

    test("leaves the turn to those who wait for the same", async () => {
      const { ann, bobs, gate } = await waiting();
      ann.end();
      await vi.advanceTimersByTimeAsync(200);
      gate.resolve();
      expect(await within(200, bobs)).toEqual(["a1"]);
      expect(feed.reads).toHaveLength(4);
    });

    test("is not read for if no one else waits for the same", async () => {
      const { ann, bob, gate } = await waiting();
      ann.end();
      bob.end();
      gate.resolve();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(feed.reads).toHaveLength(3);
    });

    test("is not read for either if that must wait because there were many reads", async () => {
      const stream = await begun("ann");
      for (let event = 0; event < 400; event += 1) feed.append("ann");
      await within(200, stream.next());
      while ((await within(1, stream.next())) !== undefined);
      const { length } = feed.reads;
      stream.end();
      await vi.advanceTimersByTimeAsync(1_000);
      expect(feed.reads).toHaveLength(length);
    });
  });

  test("sends nothing that was read for several to one whose rights have changed", async () => {
    const [ann, bob] = ["ann", "bob"].map((userId) => open(userId, { entries: everywhere })) as [Stream, Stream];
    await within(0, Promise.all([ann.next(), bob.next()]));
    const gate = Promise.withResolvers<void>();
    feed.gate = gate.promise;
    feed.append("cat");
    const next = [ann.next(), bob.next()] as const;
    await vi.advanceTimersByTimeAsync(200);
    changed = ({ caller }) => caller.userId === "bob" && caller.version === "1";
    found.set("bob", holding("bob", "2"));
    gate.resolve();
    expect(await within(200, Promise.all(next))).toEqual([["a1"], ["rights"]]);
  });

  test("says at least every 15 seconds that it is there, also while its events are being read", async () => {
    const stream = await begun("ann");
    for (const _ of "12") expect(await within(10_000, stream.next())).toEqual([]);
    feed.gate = new Promise(() => {});
    feed.append("ann");
    for (const _ of "12") expect(await within(13_500, stream.next())).toEqual([]);
    expect(feed.reads).toEqual(["ann"]);
  });

  test.each(["MAX_STREAM_MS", "the server's stop"])("ends with a last message at %s", async (why) => {
    const stream = await begun("ann");
    if (why === "MAX_STREAM_MS") {
      for (let beats = 0; beats < 7; beats += 1) expect(await within(8_000, stream.next())).toEqual([]);
    } else {
      stopping.abort();
    }
    feed.append("ann");
    feed.append("ann");
    const last = await within(8_000, stream.next());
    expect([last, stream.position().sending?.after ?? stream.position().seen]).toEqual([["a1"], 0n]);
    if (why !== "MAX_STREAM_MS") expect(await within(0, stream.next())).toBe("end");
  });

  test("says when its caller's rights have changed, and has the new ones at once", async () => {
    const stream = await begun("ann");
    changed = ({ caller }) => caller.version === "1";
    found.set("ann", holding("ann", "2", everywhere));
    expect(await within(6_000, stream.next())).toEqual(["rights"]);
    feed.append("bob");
    expect(await within(200, stream.next())).toEqual(["a1"]);
  });

  test("compares rights before it skips events, so it skips none because of former rights", async () => {
    const stream = await begun("ann");
    changed = ({ caller }) => caller.version === "1";
    found.set("ann", holding("ann", "2", everywhere));
    feed.append("bob");
    const next = stream.next();
    expect(await within(200, next)).toEqual(["a1", "rights"]);
  });

  test("skips none because of former rights either, if its caller was recalled with these during the comparison", async () => {
    const stream = await begun("ann");
    changed = ({ caller }) => caller.version === "1";
    found.set("ann", holding("ann", "2", everywhere));
    const compared = Promise.withResolvers<void>();
    comparing = compared.promise;
    feed.append("bob");
    expect(await within(8_500, stream.next())).toEqual([]);
    comparing = undefined;
    compared.resolve();
    expect(await within(200, stream.next())).toEqual(["a1", "rights"]);
  });

  test("nor if the comparison ends while its caller is being recalled with these", async () => {
    const stream = await begun("ann");
    const recalled = Promise.withResolvers<void>();
    recalling = recalled.promise;
    const next = stream.next();
    expect(await within(8_500, next)).toBeUndefined();
    changed = ({ caller }) => caller.version === "1";
    found.set("ann", holding("ann", "2", everywhere));
    feed.append("bob");
    await vi.advanceTimersByTimeAsync(200);
    recalled.resolve();
    expect(await within(200, next)).toEqual(["a1", "rights"]);
  });

  test("ends within 15 seconds when its credentials have expired, also while events come", async () => {
    const stream = await begun("ann");
    areExpired = true;
    const sent: unknown[] = [];
    for (let seconds = 0; seconds < 15; seconds += 1) {
      feed.append("ann");
      sent.push(await within(1_000, stream.next()));
    }
    expect(sent).toContain("UNAUTHENTICATED");
  });

  test("ends within 15 seconds when its credentials no longer hold, and before it reads for them", async () => {
    const [idle, busy] = [open("ann"), open("bob")];
    await within(0, Promise.all([idle.next(), busy.next()]));
    changed = () => true;
    found.set("ann", undefined);
    found.set("bob", undefined);
    feed.append("bob");
    expect(await within(200, busy.next())).toBe("UNAUTHENTICATED");
    expect(await within(15_000, idle.next())).toBe("UNAUTHENTICATED");
    expect(feed.reads).toEqual([]);
  });

  test("ends when another primary or timeline answers, and new ones begin there", async () => {
    const stream = await begun("ann");
    const next = stream.next();
    feed.source = "promoted";
    expect(await within(300, next)).toBe("RESUME_TOKEN_EXPIRED");
    stream.end();
    const other = open("ann");
    expect(await within(300, other.next())).toEqual([]);
    expect(await within(300, open("ann", { start: stream.position() }).next())).toBe("RESUME_TOKEN_EXPIRED");
  });

  test("outlasts that Postgres can't be asked for a short time, and says so after a longer one", async () => {
    const stream = await begun("ann");
    feed.failure = new Refusal("DATABASE_UNAVAILABLE", "down");
    const next = stream.next();
    expect(await within(3_000, next)).toBeUndefined();
    feed.failure = undefined;
    feed.append("ann");
    expect(await within(1_000, next)).toEqual(["a1"]);
    feed.failure = new Refusal("DATABASE_UNAVAILABLE", "down");
    expect(await within(7_000, stream.next())).toBe("DATABASE_UNAVAILABLE");
  });

  test("also outlasts a read that takes too long, and says that Postgres can't be asked if looks do", async () => {
    const stream = await begun("ann");
    const late = new DOMException("too late", "TimeoutError");
    feed.gate = Promise.reject(late);
    feed.gate.catch(() => {});
    feed.append("ann");
    const next = stream.next();
    expect(await within(400, next)).toBeUndefined();
    feed.gate = Promise.resolve();
    expect(await within(500, next)).toEqual(["a1"]);
    feed.failure = late;
    expect(await within(7_000, stream.next())).toBe("DATABASE_UNAVAILABLE");
  });

  test("ends if a look can't find all that became visible in time, and reads it in parts when it is resumed", async () => {
    const stream = await begun("ann");
    feed.mostLooked = 2;
    for (let count = 0; count < 3; count += 1) feed.append("ann");
    expect(await within(7_000, stream.next())).toBe("DATABASE_UNAVAILABLE");
    const resumed = open("ann", { start: stream.position() });
    for (const id of ["a1", "a2", "a3"]) expect(await within(500, resumed.next())).toEqual([id]);
    feed.append("ann");
    expect(await within(500, resumed.next())).toEqual(["a4"]);
  });

  test("that is still reading then doesn't skip what was too much", async () => {
    const gate = Promise.withResolvers<void>();
    feed.gate = gate.promise;
    const streams: Stream[] = [];
    for (const user of ["ann", "bob", "cid", "dora"])
      streams.push(await begun(user, { entries: everywhere, filtersId: user }));
    feed.append("ann");
    const all = nextOf(streams);
    expect(await within(300, all)).toBeUndefined();
    feed.mostLooked = 0;
    feed.append("ann");
    expect(await within(6_500, all)).toBeUndefined();
    gate.resolve();
    expect(await within(1_000, all)).toEqual([["a1"], ["a1"], ["a1"], ["a1"]]);
    expect(streams.map((stream) => stream.position().seen?.next)).toEqual([1n, 1n, 1n, 1n]);
    expect(await within(500, nextOf(streams))).toEqual(streams.map(() => "DATABASE_UNAVAILABLE"));
  });

  test("has a place among all and its caller's, outside the open requests, until its call has ended", async () => {
    const [one] = [open("ann"), open("ann"), open("ann")] as [Stream, ...Stream[]];
    expect(left).toEqual(["ann", "ann", "ann"]);
    expect(() => open("ann")).toThrow(expect.objectContaining({ reason: "RATE_LIMITED" }));
    for (const other of ["bob", "cid"]) open(other);
    expect(() => open("dora")).toThrow(expect.objectContaining({ reason: "OVERLOADED" }));
    one.end();
    expect(() => open("ann")).not.toThrow();
  });
});

test("Events are compared with a thousand entries of a caller without going through them", () => {
  let count = 0;
  const entries = Array.from({ length: 1_000 }, (_, number) => ({
    scope: {
      kind: "project" as const,
      get id() {
        count += 1;
        return `project-${number}`;
      },
    },
    roles: ["PROJECT_OWNER"] as const,
  }));
  const concerns = couldConcern({ userId: "ann", entries }, []);
  count = 0;
  feed.append("bob");
  const [event] = feed.events as [EventKey];
  expect(concerns([event])).toBe(false);
  expect(concerns([{ ...event, projectId: "project-999" }])).toBe(true);
  expect(concerns([{ ...event, userId: "ann" }])).toBe(true);
  expect(count).toBe(0);
});
