import { fireEvent, screen } from "@testing-library/react";
import Papa from "papaparse";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openConsole } from "../support/console.tsx";
import { acme, assigned, at, bob, carol, directed, globex, historiesOf, shop } from "./events.ts";
// Loaded before, so that no test waits for it.
import "../../src/history/history-page.tsx";
import "../../src/export/export-dialog.tsx";
import "../../src/history/export-history.ts";

let saved: Promise<string> | undefined;

beforeEach(() => {
  saved = undefined;
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    saved = (blob as Blob).text();
    return "blob:here";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
});
afterEach(() => vi.restoreAllMocks());

const seller = { key: "seller", displayName: "Seller" };
const auditor = { key: "auditor", displayName: "Auditor" };

async function exported(address: string, ...histories: Parameters<typeof historiesOf>) {
  const { assignments, directory } = historiesOf(...histories);
  openConsole(address, {
    history: { listAuthorizationEvents: assignments },
    directoryHistory: { listDirectoryEvents: directory },
    directory: {
      listUsers: () => ({ users: [bob, carol] }),
      listProjects: () => ({ projects: [{ ...shop, roles: [seller, auditor] }] }),
      listOrganizations: () => ({ organizations: [acme, globex] }),
    },
  });
  fireEvent.click(await screen.findByRole("button", { name: "Export CSV" }));
  await screen.findByText(/exported to/);
  const text = ((await saved) ?? "").replace(/^\uFEFF/, "");
  return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
}

it("has both histories in one file, with names, ids, reasons, and what was before and after", async () => {
  const changed = assigned(3, {
    roles: [seller],
    roleKeysBefore: ["auditor", "seller"],
    state: 1,
    stateBefore: 1,
    reason: "Too much",
  });
  const { actor: _, ...byCommand } = directed(2, {
    before: { thing: { case: "user", value: { ...bob, organizationId: "hidden" } } },
    after: { thing: { case: "user", value: bob } },
  });
  const rows = await exported("/history", [changed], [directed(1), byCommand]);
  expect(rows).toEqual([
    {
      "Time (UTC)": "2026-01-03T00:00:00Z",
      Kind: "assignment",
      What: "Roles changed",
      "Who id": "carol",
      Who: "Carol",
      Reason: "Too much",
      "Request id": "assignments 3",
      "Assignment id": "a-1",
      "Person id": "bob",
      Person: "Bob",
      "Project id": "shop",
      Project: "Shop",
      "Organization id": "globex",
      Organization: "Globex",
      Before: "Roles: Auditor, Seller; State: active",
      After: "Roles: Seller; State: active",
    },
    expect.objectContaining({
      Kind: "person",
      What: "Person changed",
      Who: "Command line",
      Person: "Bob",
      Organization: "Globex",
      Before: "Name: Bob; Organization: another organization",
      After: "Name: Bob; Organization: Globex",
    }),
    expect.objectContaining({ Kind: "project", What: "Project added", Project: "Shop", Before: "" }),
  ]);
});

it("has everything that matches the filters, not only the page, each once", async () => {
  const assignments = Array.from({ length: 1_234 }, (_, index) => assigned(index + 1, { time: at(1, index % 7) }));
  const directory = Array.from({ length: 55 }, (_, index) => directed(index + 1, { time: at(1, index % 7) }));
  const rows = await exported("/history?page=9999999999999999a1&skipped=100", assignments, directory);
  expect(new Set(rows.map((row) => row["Request id"])).size).toBe(1_289);
  expect(rows).toHaveLength(1_289);
  expect(screen.getByText(/^1,289 changes exported to/)).toBeDefined();
});

it("has of long lists of roles only what differs", async () => {
  const grant = (roleKeys: string[]) => ({
    thing: { case: "projectGrant" as const, value: { id: "g", projectId: "shop", organizationId: "globex", roleKeys } },
  });
  const many = Array.from({ length: 30 }, (_, index) => `r${index}`);
  const changed = directed(2, { before: grant([...many, "seller"]), after: grant([...many, "auditor"]) });
  const [row] = await exported("/history", [], [changed]);
  expect(row).toMatchObject({
    Kind: "grant",
    Before: "Project: Shop; Roles: Seller",
    After: "Project: Shop; Roles: Auditor",
  });
});

it("has one history alone if that is what is shown", async () => {
  const rows = await exported("/history?kind=directory", [assigned(1)], [directed(2)]);
  expect(rows.map(({ Kind }) => Kind)).toEqual(["project"]);
});
