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
    await expect.poll(() => rows.count()).toBe(3);
    expect(await rows.nth(1).textContent()).toMatch(/Carol/);
    expect(await rows.nth(1).textContent()).toMatch(/Auditor/);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(3);
    await expectNoViolations(page);
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
    await page.getByText(/^1–100 of/).waitFor();
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

    const page = await visit(`/history?organization=${organizationId}`, { as: "carol", zone: "UTC" });
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
    expect(await row.textContent()).toMatch(/Kalle.*addedAuditorremovedSeller.*Lotta/);
    const { searchParams } = new URL(page.url());
    expect([searchParams.get("when"), searchParams.get("actor")]).toEqual(["last-7-days", place.idOf("Kalle")]);
    await page.reload();
    await page.getByText("1 change", { exact: true }).waitFor();
    expect(await whoDidIt.inputValue()).toBe("Kalle");
  });

  test("is reached from the menu, and has nothing that axe finds", async ({ visit }) => {
    const page = await visit("/", { as: "ann" });
    await page.getByRole("link", { name: "History", exact: true }).click();
    await page.getByRole("table").getByRole("row").nth(2).waitFor();
    await expectNoViolations(page);
  });

  test("pages on, and says when what it shows is old because the server is away", async ({ visit }) => {
    const page = await visit("/history", { as: "ann", expects: /Failed to load resource/ });
    await page.getByRole("link", { name: "Next", exact: true }).click();
    await page.getByText(/^101–200 of/).waitFor();
    const pageToken = new URL(page.url()).searchParams.get("page");
    const answer = await ask("ann", events, { pagination: { limit: 100, pageToken } });
    const users = answer.events.slice(0, 5).map(({ user }: any) => user.displayName);
    const rows = page.getByRole("table", { name: "Changes" }).getByRole("row");
    for (const [index, user] of users.entries()) {
      await expect.poll(() => rows.nth(index + 1).textContent(), { message: `row ${index + 1}` }).toContain(user);
    }

    await page.route("**/ListAuthorizationEvents", (route) => route.abort());
    await page.getByRole("button", { name: "Refresh" }).click();
    await page.getByRole("status").getByText("The server cannot be reached").waitFor();
    expect(await rows.count()).toBeGreaterThan(5);
    await page.unroute("**/ListAuthorizationEvents");
    await expect.poll(() => page.getByText("The server cannot be reached").count()).toBe(0);
  });
});
