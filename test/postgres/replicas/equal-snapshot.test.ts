import type pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { openEqualSnapshot } from "../../../src/postgres/replicas/equal-snapshot.ts";
import { type PrimarySnapshot, readIdentity } from "../../../src/postgres/replicas/primary-snapshots.ts";
import type { Position, Shown } from "../../../src/postgres/replicas/replica-session.ts";

// Time passes only by looking at the clock, so a busy machine doesn't use up the 20 ms that a read may wait.
beforeEach(() => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += 0.5;
    return now;
  });
});
afterEach(() => vi.restoreAllMocks());

/** What a replica says: how much is missing, and whether it shows one of the asked transactions. */
type Says = { missing?: number | null; more?: boolean; isReplica?: boolean; timeline?: number };

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
  const client = { query: async () => ({ rows: [{ identity }] }) } as unknown as pg.ClientBase;
  await readIdentity(client);
  const send = async ({ text }: { text: string }) => {
    asked.push(text);
    if (text === "rollback") return [];
    const { missing = 0, more = false, isReplica = true, timeline = 1 } = says[turn] ?? says.at(-1) ?? {};
    turn += 1;
    const rows: [Position, Shown] = [{ missing }, { is_replica: isReplica, timeline, shows_more: more }];
    return [{ rows: [] }, { rows: [rows[0]] }, { rows: [] }, { rows: [] }, { rows: [rows[1]] }];
  };
  const opened = await openEqualSnapshot(
    {
      client,
      send: send as never,
      onPosition: () => {},
      primary: {
        next: async () => ({ ...(later[answers++] ?? later.at(-1) ?? first), askedAt: performance.now() }),
        close: async () => {},
      },
    },
    first,
  );
  const isOpen = asked.at(-1)?.includes("repeatable read") ?? false;
  return { opened: typeof opened === "string" ? opened : opened.time, isOpen, asked, answers };
}

describe("A replica's snapshot is used", () => {
  test("at once if it shows nothing that the primary's doesn't show", async () => {
    expect(await open([{}], [])).toMatchObject({ opened: "10", isOpen: true, answers: 0 });
  });

  test("after waiting until enough is replayed", async () => {
    expect(await open([{ missing: 100 }, { missing: 1 }, { missing: 0 }], [])).toMatchObject({
      opened: "10",
      isOpen: true,
      asked: { length: 5 },
    });
  });
});

describe("Both take another snapshot", () => {
  test("if the replica shows a commit that the primary's snapshot doesn't show", async () => {
    const { opened, isOpen, asked, answers } = await open([{ more: true }, {}], [snapshot(12, [11])]);
    expect([opened, isOpen, answers]).toEqual(["12", true, 1]);
    expect(asked[1]).toBe("rollback");
    expect(asked[2]).toContain("'{11}', 12");
  });

  test("if the primary's is so old that it may have crashed meanwhile", async () => {
    const first = { ...snapshot(10), askedAt: performance.now() - 201 };
    expect(await open([{}], [snapshot(12)], first)).toMatchObject({ opened: "12", answers: 1 });
  });

  test("if the primary went to another timeline meanwhile", async () => {
    const later = snapshot(11, [], 2);
    expect(await open([{ more: true }, { timeline: 2 }], [later])).toMatchObject({ opened: "11", isOpen: true });
  });
});

describe("The primary has to answer, and no transaction stays open,", () => {
  test("if the replica does not catch up", async () => {
    expect(await open([{ missing: 1 }], [])).toMatchObject({ opened: "behind", isOpen: false });
  });

  test("if the replica always shows more than the primary", async () => {
    expect(await open([{ more: true }], [snapshot(12, [10])])).toMatchObject({ opened: "ahead", isOpen: false });
  });
});
