import { AuthorizationFieldName, AuthorizationService } from "@authorization-service/client";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { callUnaryMethod } from "@connectrpc/connect-query";
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { filtersOf } from "../../src/assignments/search.ts";
import { rowsOfAll } from "../../src/export/pages.ts";
import { settings } from "../../src/settings.ts";
import { listOf, refusal } from "./list-of.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const list = {
  filters: filtersOf({ filters: [{ userId: { id: "ann" } }] }),
  sortingColumn: AuthorizationFieldName.CHANGED_DATE,
  asc: true,
};

async function read(transport: Transport, signal = new AbortController().signal) {
  const { asc, ...asked } = list;
  const { listAuthorizations } = AuthorizationService.method;
  const rowsOf = rowsOfAll(
    (transport, page, signal) =>
      callUnaryMethod(transport, listAuthorizations, { ...asked, pagination: { ...page, asc } }, { signal }),
    ({ authorizations }) => authorizations.map(({ id }) => [id]),
  );
  const pages: { first: string | undefined; rows: number; total: number }[] = [];
  for await (const { rows, total } of rowsOf(transport, signal)) {
    pages.push({ first: rows[0]?.[0], rows: rows.length, total });
  }
  return pages;
}

it("follows the cursor to the end, with the filters and the order of the table, and counts the total once", async () => {
  const { transport, asked } = listOf(2500);
  expect(await read(transport)).toEqual([
    { first: "a-0", rows: 1000, total: 2500 },
    { first: "a-1000", rows: 1000, total: 2500 },
    { first: "a-2000", rows: 500, total: 2500 },
  ]);
  expect(asked.map(({ pagination }) => [pagination?.pageToken, pagination?.skipTotal, pagination?.limit])).toEqual([
    ["", false, 1000],
    ["1000", true, 1000],
    ["2000", true, 1000],
  ]);
  for (const request of asked) {
    expect(request).toMatchObject({ sortingColumn: list.sortingColumn, pagination: { asc: true } });
    expect(request.filters[0]?.filter).toMatchObject({ case: "userId", value: { id: "ann" } });
  }
});

it("an empty list is one empty page", async () => {
  expect(await read(listOf(0).transport)).toEqual([{ first: undefined, rows: 0, total: 0 }]);
});

it("takes smaller pages where the server is configured for them", async () => {
  Object.assign(settings, { mostRows: 200 });
  onTestFinished(() => void Object.assign(settings, { mostRows: 1_000 }));
  const { transport, asked } = listOf(500, { maximum: 200 });
  expect((await read(transport)).map(({ rows }) => rows)).toEqual([200, 200, 100]);
  expect(asked.map(({ pagination }) => pagination?.limit)).toEqual([200, 200, 200]);
});

it.each([
  ["cannot be reached", new ConnectError("away", Code.Unavailable)],
  ["is asked too often", refusal(Code.ResourceExhausted, "RATE_LIMITED")],
])("a server that %s for a moment is asked for the same page again", async (_what, error) => {
  const { transport, asked } = listOf(2500, {
    before: async (request) => {
      if (request === 2 || request === 3) throw error;
    },
  });
  const reading = read(transport);
  await vi.waitFor(() => expect(asked.length).toBe(2));
  await vi.advanceTimersByTimeAsync(1_000);
  await vi.waitFor(() => expect(asked.length).toBe(3));
  await vi.advanceTimersByTimeAsync(2_000);
  expect((await reading).map(({ first }) => first)).toEqual(["a-0", "a-1000", "a-2000"]);
});

it("waits as long as the server says", async () => {
  const { transport, asked } = listOf(1, {
    before: async (request) => {
      if (request > 1) return;
      throw new ConnectError("busy", Code.Unavailable, { "retry-after": "30" });
    },
  });
  const reading = read(transport);
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  await vi.advanceTimersByTimeAsync(29_000);
  expect(asked.length).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect((await reading).length).toBe(1);
});

it("gives up on a server that stays away", async () => {
  const { transport, asked } = listOf(1, {
    before: async () => {
      throw new ConnectError("away", Code.Unavailable);
    },
  });
  const reading = expect(read(transport)).rejects.toMatchObject({ code: Code.Unavailable });
  await vi.advanceTimersByTimeAsync(60_000);
  await reading;
  expect(asked.length).toBe(5);
});

it.each([Code.Unauthenticated, Code.Internal, Code.InvalidArgument])(
  "does not ask again after code %i",
  async (code) => {
    const { transport, asked } = listOf(2500, {
      before: async (request) => {
        if (request === 2) throw new ConnectError("no", code);
      },
    });
    await expect(read(transport)).rejects.toMatchObject({ code });
    expect(asked.length).toBe(2);
  },
);

it("ends at once when it is cancelled while it waits", async () => {
  const { transport } = listOf(1, {
    before: async () => {
      throw new ConnectError("away", Code.Unavailable);
    },
  });
  const controller = new AbortController();
  const reading = expect(read(transport, controller.signal)).rejects.toBe("cancelled");
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
  controller.abort("cancelled");
  await reading;
  expect(vi.getTimerCount()).toBe(0);
});
