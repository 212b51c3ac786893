import { text } from "node:stream/consumers";
import Papa from "papaparse";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, makePlace } from "./support/ask.ts";
import { makeOwner } from "./support/token.ts";
import { test } from "./support/visit.ts";

const events = "authorization.v2.AuthorizationHistoryService/ListAuthorizationEvents";

describe("the history", () => {
  test("tells who changed whose roles, and its link tells the same", async ({ visit }) => {
    const place = await makePlace("Annals Inc", { Jana: ["seller"] });
    const id = place.idOf("Jana");
    const change = "authorization.v2.AuthorizationService/UpdateAuthorization";
    await ask("carol", change, { id, roleKeys: ["auditor", "seller"] });
    const page = await visit(`/history?user=${id}`, { as: "carol" });
    const rows = page.getByRole("table").getByRole("row");
    // The head, the change, and the line of the request that made the person and the assignment.
    await expect.poll(() => rows.count()).toBe(3);
    // Names come after the changes.
    await expect.poll(() => rows.nth(1).textContent()).toMatch(/Carol.*Roles changed.*Auditor.*Jana/);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(3);
    await expectNoViolations(page);
  });

  test("shows a request that changed the directory and assignments as one line, which opens by keyboard", async ({
    visit,
  }) => {
    const place = await makePlace("Batches Inc", { Nora: ["seller"], Omar: ["seller", "auditor"] });
    const { organizationId } = place;
    const projectRole = { projectId: `${organizationId}-till`, key: "seller" };
    const changes = [{ organization: { id: organizationId, name: "Batches & Sons" } }, { remove: { projectRole } }];
    const reason = "Sellers are cashiers now";
    await ask("carol", "directory.v1.DirectoryService/ApplyChanges", { changes, reason });

    const page = await visit(`/organization?id=${organizationId}`, { as: "carol" });
    await page.getByRole("link", { name: "All changes" }).click();
    await page.getByText("13 changes").waitFor();
    const rows = page.getByRole("table").getByRole("row");
    await expect.poll(() => rows.count()).toBe(3);
    const line = rows.nth(1);
    for (const told of [
      "Carol",
      "Removed the role Seller from Till",
      "Renamed the organization Batches Inc to Batches & Sons",
      "Roles lost by a change of the directory: Nora, Till in Batches & Sons (removed Seller)",
      "Sellers are cashiers now",
    ]) {
      await expect.poll(() => line.textContent()).toContain(told);
    }
    await line.getByRole("button", { name: "Show the 4 changes" }).focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => rows.count()).toBe(7);
    // The login names of these people contain the id of the organization. Other names come after the changes.
    const told = async () =>
      (await page.getByRole("table").textContent())?.replaceAll(/place-[\w-]*@place\.example/g, "");
    await expect.poll(told).toMatch(/Renamed the organization Batches Inc to Batches & SonsBatches & Sons/);
    await expect.poll(told).toMatch(/Roles lost by a change of the directoryremovedSellerNo roles are left.*Nora/);
    await expect.poll(told).not.toContain(organizationId);
    await expectNoViolations(page);

    await page.getByRole("combobox", { name: "Of", exact: true }).selectOption({ label: "The directory" });
    await page.getByText("9 changes").waitFor();
    expect(new URL(page.url()).searchParams.get("kind")).toBe("directory");
    await page.getByRole("button", { name: /^What happened/ }).click();
    await page.getByRole("checkbox", { name: "People" }).check();
    await page.getByText("2 changes", { exact: true }).waitFor();

    const downloading = page.waitForEvent("download");
    await page.evaluate(() => Reflect.deleteProperty(window, "showSaveFilePicker"));
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Export CSV" }).click();
    await page.getByRole("button", { name: "Export", exact: true }).click();
    const file = await text(await (await downloading).createReadStream());
    const options = { header: true, skipEmptyLines: true } as const;
    const { data } = Papa.parse<Record<string, string>>(file.replace(/^\uFEFF/, ""), options);
    expect(data.map(({ What, Person, Organization }) => [What, Person, Organization]).sort()).toEqual([
      ["Person added", "Nora", "Batches & Sons"],
      ["Person added", "Omar", "Batches & Sons"],
    ]);
  });

  test("is narrowed down by what happened", async ({ visit }) => {
    const place = await makePlace("Kinds Inc", { Kurt: ["seller"] });
    const id = place.idOf("Kurt");
    await ask("carol", "authorization.v2.AuthorizationService/DeactivateAuthorization", { id });
    const page = await visit(`/history?user=${id}`, { as: "carol" });
    const rows = page.getByRole("table").getByRole("row");
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole("button", { name: /^What happened/ }).click();
    await page.getByRole("checkbox", { name: /Deactivated/ }).waitFor();
    await expectNoViolations(page);
    await page.getByRole("checkbox", { name: /Deactivated/ }).check();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole("button", { name: "Remove all filters" }).click();
    await page.getByText(/^1–[\d,]+ of/).waitFor();
  });

  test("is narrowed down by who did it and by the last seven days, to what the service answers", async ({ visit }) => {
    const place = await makePlace("Deeds Inc", { Kalle: [], Lotta: ["seller"], Malte: ["seller"] });
    const { organizationId } = place;
    const owner = await makeOwner(place, "Kalle");
    const changed = { id: place.idOf("Lotta"), roleKeys: ["auditor"] };
    await ask(owner, "authorization.v2.AuthorizationService/UpdateAuthorization", changed);
    const longAgo = { creationDate: "2024-02-01T00:00:00Z", changeDate: "2024-02-01T00:00:00Z" };
    const places = { projectId: `${organizationId}-till`, organizationId };
    const authorization = {
      id: `${organizationId}-old`,
      userId: `${organizationId}-otto`,
      ...places,
      roleKeys: ["seller"],
      ...longAgo,
    };
    const user = {
      id: `${organizationId}-otto`,
      organizationId,
      preferredLoginName: "otto@place.example",
      displayName: "Otto",
    };
    await ask("carol", "directory.v1.DirectoryService/ApplyChanges", { changes: [{ user }, { authorization }] });

    const address = `/history?organization=${organizationId}&kind=assignments`;
    const page = await visit(address, { as: "carol", zone: "UTC" });
    await page.getByText("5 changes").waitFor();
    await page.getByRole("combobox", { name: "When" }).selectOption({ label: "Last 7 days" });
    const now = new Date();
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - 6)).toISOString();
    const filters: object[] = [{ organizationId: { id: organizationId } }, { time: { from } }];
    const lastDays = await ask("carol", events, { filters });
    await page.getByText(`${lastDays.pagination.totalResult} changes`, { exact: true }).waitFor();
    expect(lastDays.pagination.totalResult).toBe(4);

    const whoDidIt = page.getByRole("combobox", { name: "Who did it" });
    await whoDidIt.fill("Kalle");
    await page.getByRole("option", { name: /Kalle/ }).first().click();
    await page.getByText("1 change", { exact: true }).waitFor();
    filters.push({ actorId: { id: place.idOf("Kalle") } });
    expect((await ask("carol", events, { filters })).pagination.totalResult).toBe(1);
    const row = page.getByRole("table").getByRole("row").nth(1);
    await expect.poll(() => row.textContent()).toMatch(/Kalle.*addedAuditorremovedSeller.*Lotta/);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get("when"), searchParams.get("actor")]).toEqual(["last-7-days", place.idOf("Kalle")]);
    await page.reload();
    await page.getByText("1 change", { exact: true }).waitFor();
    await expect.poll(() => whoDidIt.inputValue()).toBe("Kalle");
  });

  test.for([1_280, 390])(
    "keeps each filter in its place at %i pixels, whatever is picked",
    async (width, { visit }) => {
      const place = await makePlace("Wide Inc", { Wilhelmina: ["seller"] });
      const loginName = `wilhelmina.with.a.very.long.login.name@${place.organizationId}.place.example`;
      const user = {
        id: place.idOf("Wilhelmina"),
        organizationId: place.organizationId,
        preferredLoginName: loginName,
      };
      const changes = [{ user: { ...user, displayName: "Wilhelmina" } }];
      await ask("carol", "directory.v1.DirectoryService/ApplyChanges", { changes });
      const page = await visit(`/history?user=${user.id}&actor=${user.id}`, { as: "carol", width });
      await page.locator(".picker > .hint").nth(1).getByText(loginName).waitFor();
      const outside = () =>
        page.evaluate(() =>
          [...document.querySelectorAll(".history-filters > *")].flatMap((place) => {
            const { left, right } = place.getBoundingClientRect();
            const parts = [...place.querySelectorAll("label, select, [role=combobox], button, .hint")]
              .filter((part) => part.checkVisibility())
              .map((part) => part.getBoundingClientRect());
            return parts.filter((part) => part.left < left - 0.5 || part.right > Math.min(right, innerWidth) + 0.5);
          }),
        );
      expect(await outside()).toEqual([]);
    },
  );

  test("is reached from the menu, and has nothing that axe finds", async ({ visit }) => {
    const page = await visit("/", { as: "ann" });
    await page.getByRole("link", { name: "History", exact: true }).click();
    await page.getByRole("table").getByRole("row").nth(2).waitFor();
    await expectNoViolations(page);
  });

  test("pages on, and says when what it shows is old because the server is away", async ({ visit }) => {
    const page = await visit("/history", { as: "ann", expects: /Failed to load resource/ });
    const count = page.getByText(/^1–[\d,]+ of/);
    await count.waitFor();
    const [, first] = /^1–([\d,]+) of/.exec((await count.textContent()) ?? "") ?? [];
    const offset = Number(first?.replaceAll(",", ""));
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await page.getByText(new RegExp(`^${(offset + 1).toLocaleString("en-GB")}–`)).waitFor();
    const rows = page.getByRole("table", { name: "Changes" }).getByRole("row");
    await expect.poll(() => rows.count()).toBeGreaterThan(5);
    const all = await newestOfBoth("ann", offset + 5);
    for (const [index, told] of all.slice(offset).entries()) {
      await expect.poll(() => rows.nth(index + 1).textContent(), { message: `row ${index + 1}` }).toContain(told);
    }

    await page.route("**/ListAuthorizationEvents", (route) => route.abort());
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("status").getByText("The server can't be reached").waitFor();
    expect(await rows.count()).toBeGreaterThan(5);
    await page.unroute("**/ListAuthorizationEvents");
    await expect.poll(() => page.getByText("The server can't be reached").count()).toBe(0);
  });
});

const directoryEvents = "directory.v1.DirectoryHistoryService/ListDirectoryEvents";

/** What the first events of both histories are about, in the order of time. */
async function newestOfBoth(as: "ann", count: number): Promise<string[]> {
  const pagination = { limit: count };
  const [assignments, directory] = await Promise.all([
    ask(as, events, { pagination }),
    ask(as, directoryEvents, { pagination }),
  ]);
  const told = [
    ...assignments.events.map(({ time, user }: any) => ({ time, text: user.displayName })),
    ...directory.events.map(({ time, after }: any) => ({ time, text: after?.user?.displayName ?? "" })),
  ];
  const microseconds = (time: string) => `${time.slice(0, 19)}.${time.slice(20, -1).padEnd(6, "0")}`;
  return told
    .toSorted((one, other) => (microseconds(one.time) < microseconds(other.time) ? 1 : -1))
    .slice(0, count)
    .map(({ text }) => text);
}
