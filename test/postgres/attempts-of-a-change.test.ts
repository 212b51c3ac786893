import { expect, test } from "vitest";
import { newActor } from "../../src/authorization/actor.ts";
import type { Caller } from "../../src/authorization/permissions.ts";
import { updateAuthorizations } from "../../src/authorization/update-authorizations.ts";
import { changeAuthorizations } from "../../src/postgres/change/authorization-change.ts";
import type { Database } from "../../src/postgres/pool/database.ts";

// docs/internals/locks.md: the third attempt of a change locks what it reads.

const caller: Caller = { userId: "root", entries: [{ scope: { kind: "instance", id: "" }, roles: ["IAM_OWNER"] }] };
const row = { id: "a", projectId: "p", organizationId: "o", projectGrantId: "", state: "active", changeDate: 1n };

/** A database where others are always faster, unless the row is locked. Writes down what it is asked. */
function busyDatabase() {
  const asked: string[] = [];
  let version = 0;
  let isLocked = false;
  async function answer(where: string, { name = "", text }: { name?: string; text: string; values: unknown[] }) {
    const isRead = text.includes('as "isSame"');
    asked.push(`${where}: ${isRead ? "read" : name}`);
    isLocked ||= name === "lock authorizations";
    if (!isLocked) version += 1;
    if (isRead) return [{ ...row, version: `${version}`, isSame: false, isFuture: true, unassignable: [] }];
    return isLocked ? [{ id: "a", time: 2n }] : [];
  }
  const database = {
    query: (statement: never) => answer("read", statement),
    write: (statement: never) => answer("write", statement),
    transaction: (_: AbortSignal, work: (connection: object) => unknown) =>
      work({ query: (statement: never) => answer("transaction", statement) }),
  } as unknown as Database;
  return { database, asked };
}

const update = (database: Database, rounds?: number) =>
  changeAuthorizations(database)(
    newActor("root", ""),
    new AbortController().signal,
    (change) =>
      updateAuthorizations(change, caller, [{ id: "a", roleKeys: [], ending: undefined, unchangedSince: undefined }]),
    rounds,
  );

const locking = [
  "read: prove caller",
  "transaction: read",
  "transaction: lock authorizations",
  "transaction: read",
  "transaction: replace roles",
];

test("A change that others outrun twice locks what it reads, and succeeds", async () => {
  const { database, asked } = busyDatabase();
  expect(await update(database)).toEqual([{ date: 2n, changed: true }]);
  const atOnce = ["read: read", "write: replace roles"];
  expect(asked).toEqual([...atOnce, ...atOnce, ...locking]);
});

test("A change of several rounds locks what it reads from the start", async () => {
  const { database, asked } = busyDatabase();
  await update(database, 2);
  expect(asked).toEqual(locking);
});
