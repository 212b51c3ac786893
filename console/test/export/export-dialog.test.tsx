import type { Transport } from "@connectrpc/connect";
import { Code, ConnectError } from "@connectrpc/connect";
import { TransportProvider } from "@connectrpc/connect-query";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import Papa from "papaparse";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ExportButton } from "../../src/export/export-button.tsx";
import { assignmentsFile } from "../../src/export/rows.ts";
import { Announcements } from "../../src/parts/announcements.tsx";
import { queryClient } from "../../src/session/queries.ts";
import { beginSession, newSession } from "../../src/session/session.ts";
import { listOf } from "./list-of.ts";

/** What the page handed over as a download. */
let downloads: { name: string; text: Promise<string>; blob: Blob }[];

beforeEach(() => {
  downloads = [];
  let last: Blob | undefined;
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    last = blob as Blob;
    return "blob:here";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    if (last) downloads.push({ name: this.download, text: last.text(), blob: last });
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

async function open(transport: Transport) {
  beginSession(newSession("token"));
  const { unmount } = render(
    <TransportProvider transport={transport}>
      <QueryClientProvider client={queryClient()}>
        <ExportButton exported={() => assignmentsFile({}, [])} />
        <Announcements />
      </QueryClientProvider>
    </TransportProvider>,
  );
  const opener = screen.getByRole("button", { name: "Export CSV" });
  opener.focus();
  fireEvent.click(opener);
  return { unmount };
}

/** Lets the answers from the second one on wait until they are let go. */
function held() {
  let letGo = () => {};
  const gate = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  return { letGo, before: (request: number) => (request > 1 ? gate : Promise.resolve()) };
}

it("all pages come into one file, each row with all columns", async () => {
  await open(listOf(2500).transport);
  await screen.findByText(/^2,500 assignments exported to/);
  const [file] = downloads;
  expect(file?.name).toMatch(/^assignments-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.csv$/);
  const text = (await file?.text) ?? "";
  const rows = Papa.parse<Record<string, string>>(text.replace(/^\uFEFF/, ""), {
    header: true,
    skipEmptyLines: true,
  }).data;
  expect(rows.map(({ Id }) => Id)).toEqual(Array.from({ length: 2500 }, (_, index) => `a-${index}`));
  expect(rows[7]).toEqual({
    Id: "a-7",
    "Person id": "u-7",
    "Display name": "User 7",
    "Login name": "u-7@acme.example",
    "Person's organization id": "globex",
    "Organization id": "acme",
    Organization: "Acme",
    "Project id": "shop",
    Project: "Shop",
    "Project owner's organization id": "acme",
    "Owned or granted": "owned",
    "Role keys": "auditor; seller",
    "Role names": "Auditor; seller",
    State: "active",
    "Created (UTC)": "2026-01-01T00:00:00Z",
    "Changed (UTC)": "2026-01-01T00:00:00.123456Z",
    "Ends (UTC)": "2026-12-28T00:00:00Z",
  });
});

it("the file begins with what tells programs that it is UTF-8", async () => {
  await open(listOf(0).transport);
  await screen.findByText(/^0 assignments exported to/);
  const bytes = new Uint8Array((await downloads[0]?.blob.arrayBuffer()) ?? new ArrayBuffer());
  expect([...bytes.slice(0, 5)]).toEqual([0xef, 0xbb, 0xbf, ...new TextEncoder().encode('"I')]);
});

it("progress tells how many rows of how many are there", async () => {
  const { letGo, before } = held();
  await open(listOf(2500, { before }).transport);
  await screen.findByText("1,000 of 2,500");
  const bar = screen.getByRole("progressbar", { name: "Exported" }) as HTMLProgressElement;
  expect([bar.value, bar.max]).toEqual([1000, 2500]);
  letGo();
  await screen.findByText(/^2,500 assignments exported to/);
});

it.each([
  ["the button", () => fireEvent.click(screen.getByRole("button", { name: "Cancel" }))],
  ["Escape", () => fireEvent.keyDown(screen.getByRole("dialog"), { key: "Escape" })],
])("cancelling by %s saves nothing", async (_what, cancel) => {
  const { letGo, before } = held();
  const { transport, asked } = listOf(2500, { before });
  await open(transport);
  await screen.findByText("1,000 of 2,500");
  cancel();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  letGo();
  await new Promise(setImmediate);
  expect(asked.length).toBe(2);
  expect(downloads).toEqual([]);
});

it.each([
  ["the service fails", Code.Internal, "Something went wrong in the service"],
  ["the session ends", Code.Unauthenticated, "You were signed out in the meantime"],
])("when %s in the middle, nothing is saved, and another try begins from the start", async (_what, code, text) => {
  const { transport, asked } = listOf(2500, {
    before: async (request) => {
      if (request === 2) throw new ConnectError("no", code);
    },
  });
  await open(transport);
  await screen.findByRole("heading", { name: text });
  expect(screen.getByText("Nothing was saved.")).toBeDefined();
  expect(downloads).toEqual([]);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText(/^2,500 assignments exported to/);
  expect(asked.map(({ pagination }) => pagination?.pageToken)).toEqual(["", "1000", "", "1000", "2000"]);
  expect((await downloads[0]?.text)?.split("\r\n").length).toBe(2502);
});

it("when the page goes away in the middle, as when the session ends, it asks no more and saves nothing", async () => {
  const { letGo, before } = held();
  const { transport, asked } = listOf(2500, { before });
  const { unmount } = await open(transport);
  await screen.findByText("1,000 of 2,500");
  unmount();
  letGo();
  await new Promise(setImmediate);
  expect(asked.length).toBe(2);
  expect(downloads).toEqual([]);
});

it("what is exported is a message, and the focus is back at the button", async () => {
  await open(listOf(1).transport);
  await screen.findByText(/^1 assignment exported to assignments-.*\.csv\.$/);
  expect(screen.queryByRole("dialog")).toBeNull();
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Export CSV" })));
});
