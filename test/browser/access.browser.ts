import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations, fewLooks } from "./support/accessibility.ts";
import { ask, makePlace, type Place } from "./support/ask.ts";
import { Hand, type Way } from "./support/hand.ts";
import { makeOwner } from "./support/token.ts";
import { test } from "./support/visit.ts";

const applyChanges = "directory.v1.DirectoryService/ApplyChanges";
const create = "authorization.v2.AuthorizationService/CreateAuthorization";
const list = "authorization.v2.AuthorizationService/ListAuthorizations";

const dialog = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });

/** The keys of the roles that each person holds in a place, by the last part of the person's id. */
async function heldIn({ organizationId }: Place): Promise<Record<string, string[]>> {
  const { authorizations } = await ask("carol", list, { filters: [{ organizationId: { id: organizationId } }] });
  return Object.fromEntries(
    authorizations.map(({ user, roles }: any) => [user.id.split("-").at(-1), roles.map(({ key }: any) => key)]),
  );
}

async function withoutAssignment(place: Place, user: string): Promise<void> {
  await ask("carol", "authorization.v2.AuthorizationService/DeleteAuthorization", { id: place.idOf(user) });
}

describe.each<Way>(["mouse", "keyboard"])("by %s", (way) => {
  test("gives several people a role at once, adds it where there are others, and undoes it together", async ({
    visit,
  }) => {
    const place = await makePlace("Several Inc", { Sara: [], Sami: ["seller"], Sina: ["auditor"] });
    await withoutAssignment(place, "Sara");
    const page = await visit(`/?create=${encodeURIComponent(JSON.stringify({ organization: place.organizationId }))}`, {
      as: "carol",
    });
    const hand = new Hand(page, way);
    const creating = dialog(page, "New assignment");
    for (const user of ["Sara", "Sami", "Sina"])
      await hand.pick(
        creating.getByRole("combobox", { name: "People" }),
        place.idOf(user),
        new RegExp(`^${user}|${user}`),
      );
    await hand.press(creating.getByRole("radio", { name: "Till" }));
    await hand.press(creating.getByRole("checkbox", { name: /^Auditor/ }));
    await hand.press(creating.getByRole("button", { name: "Review 3 assignments" }));
    const review = dialog(page, "Assign roles: 3 assignments");
    await review.getByText("2 assignments will be changed. 1 assignment will be left out.").waitFor();
    const changed = review.getByRole("region", { name: "Will be changed" }).getByRole("listitem");
    expect(await changed.allTextContents()).toEqual([
      expect.stringMatching(/Sara.*new: adds Auditor$/),
      expect.stringMatching(/Sami.*adds Auditor$/),
    ]);
    await expectNoViolations(page, fewLooks);
    await hand.press(review.getByRole("button", { name: "Assign roles: 2 assignments" }));
    const done = dialog(page, "Assign roles: 2 done");
    await done.waitFor();
    expect(await heldIn(place)).toEqual({ sara: ["auditor"], sami: ["auditor", "seller"], sina: ["auditor"] });
    await hand.press(done.getByRole("button", { name: "Undo" }));
    await page.getByText(/^Undone: Assign roles, 2 assignments/).waitFor();
    expect(await heldIn(place)).toEqual({ sami: ["seller"], sina: ["auditor"] });
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  test("adds 30 people from a list with a role in 5 steps", async ({ visit }) => {
    const place = await makePlace("Pasted Inc", { Paul: [] });
    const page = await visit(`/organization?id=${place.organizationId}`, { as: "carol" });
    const hand = new Hand(page, way);
    const people = Array.from({ length: 30 }, (_, at) => `Pia ${at} <pia-${at}@pasted.example>`);
    await hand.press(page.getByRole("link", { name: "Add people from a list" }));
    await hand.fill(page.getByLabel("People, one in each line"), people.join(way === "mouse" ? "\n" : ", "));
    await hand.press(page.getByRole("radio", { name: "Till" }));
    await hand.press(page.getByRole("checkbox", { name: /^Auditor/ }));
    await button(page, "Add 30 people").waitFor();
    await expectNoViolations(page, fewLooks);
    await hand.press(button(page, "Add 30 people"));
    await page.getByText(/^30 people are added to Pasted Inc\. 30 of them have roles\./).waitFor();
    expect(hand.steps).toBe(5);
    const held = Object.values(await heldIn(place));
    expect(held.filter((keys) => keys.join() === "auditor")).toHaveLength(30);
    await button(page, "Undo").first().click();
    await page.getByText(/^Undone: Assign roles, 30 assignments/).waitFor();
    expect(Object.keys(await heldIn(place))).toEqual(["paul"]);
  });

  test("compares two people in 3 steps, and gives one what the other has in 5", async ({ visit }) => {
    const place = await makePlace("Joiners Inc", { Jana: ["seller", "auditor"], Jost: ["cashier"], Jens: [] });
    const other = await makePlace("Elsewhere Inc", {});
    const owner = await makeOwner(place, "Jens");
    const viewer = { userId: place.idOf("Jens"), organizationId: other.organizationId, roles: ["ORG_OWNER_VIEWER"] };
    await ask("carol", applyChanges, { changes: [{ administrator: viewer }] });
    const far = { userId: place.idOf("Jana"), projectId: `${other.organizationId}-till`, roleKeys: ["seller"] };
    await ask("carol", create, { ...far, organizationId: other.organizationId });
    const page = await visit(`/person?id=${place.idOf("Jost")}`, { token: owner.token });
    const hand = new Hand(page, way);
    await hand.press(page.getByRole("link", { name: "Give the same as…" }));
    const from = page.getByRole("combobox", { name: "Has the access" });
    await expect.poll(() => from.evaluate((field) => field === document.activeElement)).toBe(true);
    await hand.pick(from, "Jana", /Jana/);
    const table = page.getByRole("table", { name: "Assignments" });
    const rows = table.getByRole("row");
    await rows.nth(2).waitFor();
    expect(hand.steps).toBe(3);
    await table.getByText("you can't assign roles there").waitFor();
    const texts = (await rows.allTextContents()).map((text) => text.replaceAll(/\s+/g, " "));
    expect(texts[1]).toMatch(/^TillElsewhere Inc.*Seller \(you can't assign roles there\)/);
    expect(texts[2]).toMatch(/^TillJoiners Inc.*Auditor.*Seller.*Cashier/);
    await expectNoViolations(page, fewLooks);

    await hand.press(button(page, "Give Jost 2 roles…"));
    const review = dialog(page, "Assign roles: 1 assignment");
    await review.getByText("adds Auditor, Seller").waitFor();
    await hand.press(review.getByRole("button", { name: "Assign roles: 1 assignment" }));
    await dialog(page, "Assign roles: 1 done").waitFor();
    expect(hand.steps).toBe(5);
    expect((await heldIn(place)).jost).toEqual(["auditor", "cashier", "seller"]);
    await dialog(page, "Assign roles: 1 done").getByRole("button", { name: "Close" }).click();
    await expect.poll(() => table.getByRole("checkbox", { name: /Joiners/ }).count()).toBe(0);
    await button(page, "Nothing to give").waitFor();
    await owner.revoke();
  });
});
