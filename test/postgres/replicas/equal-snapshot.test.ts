import type pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openEqualSnapshot } from "../../../src/postgres/replicas/equal-snapshot.ts";
import { type PrimarySnapshot, readIdentity } from "../../../src/postgres/replicas/primary-snapshots.ts";
import type { Before, Within } from "../../../src/postgres/replicas/replica-session.ts";

// Time passes only by looking at the clock, so a busy machine doesn't use up the 20 ms that a read may wait.
beforeEach(() => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 0.5;
    return now;
  });
});
afterEach(() => vi.restoreAllMocks());

/** What a replica says: how much is missing, which of the asked transactions it showed before and within. */
type Says = { missing?: number | null; before?: string; within?: string; isReplica?: boolean; timeline?: number };

const snapshot = (next: number, running: number[] = [], timeline = 1): PrimarySnapshot => ({
  identity: "one",
  timeline,
  flushed: "0/1",
  running: new Set(running.map(BigInt)),
  next: BigInt(next),
  time: `${next}`,
  askedAt: performance.now(),
});

/** Opens a snapshot on a replica that says these things in turn, while the primary has these snapshots in turn. */
async function open(says: readonly Says[], later: readonly PrimarySnapshot[], first = snapshot(10), identity = "one") {
  const asked: string[] = [];
  let turn = 0;
  let answers = 0;
  let completions = 0;
  const client = { query: async () => ({ rows: [{ identity }] }) } as unknown as pg.ClientBase;
  await readIdentity(client);
  const send = async ({ text }: { text: string }) => {
    asked.push(text);
    if (text === "rollback") return [];
    const {
      missing = 0,
      before = "",
      within = before,
      isReplica = true,
      timeline = 1,
    } = says[turn] ?? says.at(-1) ?? {};
    turn += 1;
    const rows: [Before, Within] = [
      { missing, shown: before },
      { is_replica: isReplica, timeline, shown: within },
    ];
    return [{ rows: [] }, { rows: [rows[0]] }, { rows: [] }, { rows: [] }, { rows: [rows[1]] }];
  };
  const opened = await openEqualSnapshot(
    {
      client,
      send: send as never,
      onPosition: () => {},
      primary: {
        next: async () => ({ ...(later[answers++] ?? later.at(-1) ?? first), askedAt: performance.now() }),
        completeLog: () => {
          completions += 1;
        },
        close: async () => {},
      },
    },
    first,
  );
  const isOpen = asked.at(-1)?.includes("repeatable read") ?? false;
  return { opened: typeof opened === "string" ? opened : opened.time, isOpen, asked, answers, completions };
}

describe("A replica's snapshot is used", () => {
  test("at once if it shows nothing that the primary's doesn't show", async () => {
    expect(await open([{}], [])).toMatchObject({ opened: "10", isOpen: true, answers: 0 });
  });

  test("if the primary shows the same a moment later", async () => {
    expect(await open([{ before: "10" }], [snapshot(11)])).toMatchObject({ opened: "11", isOpen: true, answers: 1 });
  });

  test("when the primary has ended what the replica shows already", async () => {
    const waiting = [snapshot(10), snapshot(12, [10]), snapshot(12, [11])];
    expect(await open([{ before: "10" }], waiting)).toMatchObject({ opened: "12", isOpen: true, answers: 3 });
  });

  test("if a transaction of the primary's first snapshot has ended on both", async () => {
    const first = snapshot(10, [7, 8]);
    expect(await open([{ before: "7" }], [snapshot(10, [8])], first)).toMatchObject({ opened: "10", isOpen: true });
  });

  test("after waiting until enough is replayed", async () => {
    expect(await open([{ missing: 100 }, { missing: 1 }, { missing: 0 }], [])).toMatchObject({
      opened: "10",
      isOpen: true,
      asked: { length: 5 },
    });
  });
});

describe("Another snapshot is taken", () => {
  test("if the primary meanwhile shows a commit that the replica's lacks: commits have different orders on them", async () => {
    const { opened, asked, answers } = await open([{ before: "10" }, {}], [snapshot(12)]);
    expect([opened, answers]).toEqual(["12", 1]);
    expect(asked[1]).toBe("rollback");
    expect(asked[2]).toContain("'{}', 12");
  });

  test("if a commit was replayed between the two looks", async () => {
    expect(await open([{ before: "10", within: "10,11" }, {}], [snapshot(12)])).toMatchObject({ opened: "12" });
  });

  test("if the primary went to another timeline meanwhile", async () => {
    const later = snapshot(11, [], 2);
    expect(await open([{ before: "10" }, { timeline: 2 }], [later])).toMatchObject({ opened: "11", isOpen: true });
  });
});

describe("The primary has to answer, and no transaction stays open,", () => {
  test("if the replica does not catch up", async () => {
    const { opened, isOpen, completions } = await open([{ missing: 1 }], []);
    expect([opened, isOpen]).toEqual(["behind", false]);
    expect(completions, "the rest of a record may be missing").toBeGreaterThan(0);
  });

  test("if the primary does not show what the replica shows", async () => {
    expect(await open([{ before: "10" }], [snapshot(12, [10])])).toMatchObject({ opened: "ahead", isOpen: false });
  });

  test("if commits follow too closely on each other", async () => {
    const busy = Array.from({ length: 1_000 }, (_, number) => snapshot(12 + 2 * number));
    expect(await open([{ before: "10" }], busy)).toMatchObject({ opened: "raced", isOpen: false });
  });
});

describe("A server is not used at all", () => {
  test.each([
    ["is not in recovery", { isReplica: false }],
    ["never was in recovery", { missing: null, isReplica: false }],
  ])("if it %s", async (_, says) => {
    await expect(open([says], [])).rejects.toMatchObject({ reason: "promoted" });
  });

  test("if it follows another timeline", async () => {
    await expect(open([{ timeline: 2 }], [])).rejects.toMatchObject({ reason: "timeline" });
    await expect(open([{ timeline: 1 }], [], snapshot(10, [], 2))).rejects.toMatchObject({ reason: "timeline" });
  });

  test("if it holds another database", async () => {
    await expect(open([{}], [], snapshot(10), "another")).rejects.toMatchObject({ reason: "different" });
  });
});
