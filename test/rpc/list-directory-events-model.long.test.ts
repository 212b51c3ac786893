import { afterAll, beforeAll, expect, test } from "vitest";
import { addDirectoryEvents, type StoredEvent } from "../support/directory-events.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ smallWorld: true });
});
afterAll(() => server.stop());

/** A small generator of numbers, so that every run is the same. */
function diceOf(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % sides;
  };
}

const ids = { organization: ["acme", "globex", "initech"], project: ["shop", "depot"] };
const scopes = [
  ...ids.organization.map((id) => ["organization", id] as const),
  ...ids.project.map((id) => ["project", id] as const),
  ["projectGrant", "shop-to-globex"] as const,
  ["projectGrant", "shop-to-initech"] as const,
];
/** Where grants are on the side of the project's owner. */
const ownersSide: Record<string, string> = { organization: "grantOwner", project: "grantedProject" };
const kinds = ["organization", "user", "project", "projectRole", "projectGrant", "administrator", "token"];
const users = ["ann", "bob", "cid", "nobody"];

type Known = Required<Pick<StoredEvent, "kind" | "id" | "userId" | "places">> & {
  actorId: string | null;
  time: string;
  sequence: bigint;
};
type Viewer = { userId: string; reads: readonly (readonly [string, string])[]; instance: "" | "owner" | "viewer" };

/** The rule, as docs/reference/directory-history.md has it. */
function isSeen({ userId, reads, instance }: Viewer, event: Known, hidden: ReadonlyMap<string, bigint>): boolean {
  const isSince = (kind: string, id: string) => event.sequence > (hidden.get(`${kind} ${id}`) ?? 0n);
  if (instance === "owner" || (instance === "viewer" && event.kind !== "token")) return true;
  const isOwn = event.userId === userId && ["administrator", "token"].includes(event.kind);
  if (isOwn && isSince("user", userId)) return true;
  return reads.some(([kind, id]) => isIn(event, kind, id) && isSince(kind, id));
}

/** Everyone here who may read may also change grants. */
function isIn({ places }: Known, kind: string, id: string): boolean {
  return places.some(([k, i]) => (k === kind || k === ownersSide[kind]) && i === id);
}

function matches(event: Known, filter: any): boolean {
  const [[kind, value]] = Object.entries<any>(filter) as [[string, any]];
  switch (kind) {
    case "kinds":
      return value.kinds.includes(event.kind);
    case "id":
      return event.id === value.id;
    case "userId":
      return event.userId === value.id;
    case "actorId":
      return (event.actorId ?? "") === value.id;
    case "organizationId":
      return isIn(event, "organization", value.id);
    case "projectId":
      return isIn(event, "project", value.id);
    default:
      return event.time >= value.from && event.time < value.to;
  }
}

test("ListDirectoryEvents shows each caller what a model of the rule does, under all filters, on all pages", async () => {
  const { database } = server;
  const dice = diceOf(7);
  const pick = <T>(list: readonly T[]): T => list[dice(list.length)] as T;
  const all: Known[] = [];
  const hidden = new Map<string, bigint>();
  const add = async (count: number) => {
    const events = Array.from({ length: count }, () => ({
      kind: pick(kinds),
      id: `m${dice(8)}`,
      within: "",
      userId: pick(users),
      actorId: dice(3) === 0 ? null : pick(["root", "ann", "zoe"]),
      time: `2025-01-01T00:00:00.0000${String(10 + dice(20))}Z`,
      after: {},
    }));
    const placed = events.map((event) => {
      const isGrant = event.kind === "projectGrant";
      const there = (event.kind === "token" ? [] : scopes.filter(() => dice(4) === 0)).map(([kind, id]) => {
        const isOwners = isGrant && dice(2) === 0;
        return [isOwners ? (ownersSide[kind] ?? kind) : kind, id] as const;
      });
      return { ...event, places: there };
    });
    const sequences = await addDirectoryEvents(database, ...placed);
    for (const [index, event] of placed.entries()) all.push({ ...event, sequence: BigInt(sequences[index] ?? 0) });
  };
  await add(150);
  for (const [kind, id] of [
    ["organization", "globex"],
    ["project", "shop"],
    ["projectGrant", "shop-to-initech"],
    ["user", "ann"],
  ] as const) {
    await database.query(
      `insert into removed_things (kind, id, organization_id, last_event, last_directory_event)
       select $1, $2, 'acme', 0, max(sequence) from directory_events`,
      [kind, id],
    );
    hidden.set(`${kind} ${id}`, all.at(-1)?.sequence ?? 0n);
    await add(30);
  }
  await add(100);

  const viewers: Viewer[] = [
    { userId: "root", reads: [], instance: "owner" },
    { userId: "cid", reads: [], instance: "viewer" },
    { userId: "nobody", reads: [], instance: "" },
    ...[["acme"], ["acme", "globex"]].map((reach, index) => ({
      userId: ["bea", "bob"][index] ?? "",
      reads: reach.map((id) => ["organization", id] as const),
      instance: "" as const,
    })),
    { userId: "ann", reads: scopes, instance: "" },
    {
      userId: "adam",
      reads: [
        ["project", "shop"],
        ["projectGrant", "shop-to-initech"],
      ],
      instance: "",
    },
  ];
  const columns: Record<string, string> = {
    organization: "organization_id",
    project: "project_id",
    projectGrant: "project_grant_id",
  };
  const roles: Record<string, string> = {
    organization: "ORG_OWNER",
    project: "PROJECT_OWNER",
    projectGrant: "PROJECT_GRANT_OWNER",
  };
  for (const viewer of viewers) {
    if (viewer.instance === "viewer") {
      await database.query("insert into administrators (user_id, roles) values ($1, '{IAM_OWNER_VIEWER}')", [
        viewer.userId,
      ]);
    }
    for (const [kind, id] of viewer.reads) {
      await database.query(`insert into administrators (user_id, ${columns[kind]}, roles) values ($1, $2, array[$3])`, [
        viewer.userId,
        id,
        roles[kind],
      ]);
    }
  }
  // Only these: the world and the entries above may have events of their own.
  const window = { time: { from: "2025-01-01T00:00:00.000010Z", to: "2025-01-01T00:00:00.000030Z" } };
  const filterings = [
    [],
    ...Array.from({ length: 24 }, () =>
      Array.from({ length: 1 + dice(2) }, () =>
        pick([
          { kinds: { kinds: kinds.filter(() => dice(3) === 0) } },
          { id: { id: `m${dice(8)}` } },
          { userId: { id: pick(users) } },
          { actorId: { id: pick(["", "root", "ann"]) } },
          { organizationId: { id: pick(ids.organization) } },
          { projectId: { id: pick(ids.project) } },
          { time: { from: "2025-01-01T00:00:00.000013Z", to: "2025-01-01T00:00:00.000021Z" } },
        ]),
      ),
    ),
  ];
  let rows = 0;
  for (const viewer of viewers) {
    const token = await database.token(viewer.userId);
    for (const [index, filters] of filterings.entries()) {
      const asc = index % 2 === 0;
      const visible = all.filter(
        (event) => isSeen(viewer, event, hidden) && filters.every((one) => matches(event, one)),
      );
      const expected = visible
        .toSorted((one, other) =>
          one.time < other.time ? -1 : one.time > other.time ? 1 : Number(one.sequence - other.sequence),
        )
        .map(({ sequence }) => String(sequence));
      if (!asc) expected.reverse();
      const shown: string[] = [];
      let pageToken = "";
      do {
        const request = { filters: [...filters, window], pagination: { asc, limit: 20 + dice(100), pageToken } };
        const path = "directory.v1.DirectoryHistoryService/ListDirectoryEvents";
        const { status, body } = await server.callService(path, request, { token });
        expect(status, body?.message).toBe(200);
        expect([viewer.userId, filters, body.pagination.totalResult]).toEqual([
          viewer.userId,
          filters,
          expected.length,
        ]);
        shown.push(...body.events.map(({ sequence }: any) => sequence));
        pageToken = body.pagination.nextPageToken;
      } while (pageToken !== "");
      expect([viewer.userId, filters, shown]).toEqual([viewer.userId, filters, expected]);
      rows += shown.length;
    }
  }
  expect(rows).toBeGreaterThan(1_000);
});
