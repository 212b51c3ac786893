import { describe, expect } from "vitest";
import { expectNoViolations, fewLooks } from "./support/accessibility.ts";
import { apply, ask, assignmentsOf, makePlace, type Place, removeAssignment } from "./support/ask.ts";
import { button, dialog, exported, press } from "./support/find.ts";
import { begin, type Way } from "./support/hand.ts";
import { makeOwner } from "./support/token.ts";
import { test } from "./support/visit.ts";

const create = "authorization.v2.AuthorizationService/CreateAuthorization";

/** The keys of the roles that each person holds in a place, by the last part of the person's id. */
async function heldIn(place: Place): Promise<Record<string, string[]>> {
  const all = await assignmentsOf(place);
  return Object.fromEntries(
    all.map(({ user, roles }) => [user.id.split("-").at(-1), roles.map(({ key }: any) => key)]),
  );
}

describe.each<Way>(["mouse", "keyboard"])("by %s", (way) => {
  test("gives several people a role at once, next to roles they have, and undoes it together", async ({ visit }) => {
    const place = await makePlace("Several Inc", { Sara: [], Sami: ["seller"], Sina: ["auditor"] });
    await removeAssignment(place.idOf("Sara"));
    const form = encodeURIComponent(JSON.stringify({ organization: place.organizationId }));
    const { page, hand } = await begin(visit, way, `/assignments?create=${form}`);
    const creating = dialog(page, "New assignment");
    const people = creating.getByRole("combobox", { name: "People" });
    for (const user of ["Sara", "Sami", "Sina"]) await hand.pick(people, place.idOf(user), new RegExp(user));
    await hand.press(creating.getByRole("radio", { name: "Till" }));
    await hand.press(creating.getByRole("checkbox", { name: /^Auditor/ }));
    await hand.press(creating.getByRole("button", { name: "Review 3 assignments" }));
    const review = dialog(page, "Save 3 assignments");
    await review.getByText("2 assignments will be changed. 1 assignment will be left out.").waitFor();
    const changed = review.getByRole("region", { name: "Will be changed" }).getByRole("listitem");
    expect(await changed.allTextContents()).toEqual([
      expect.stringMatching(/Sara.*new: adds Auditor$/),
      expect.stringMatching(/Sami.*adds Auditor$/),
    ]);
    await expectNoViolations(page, fewLooks);
    await hand.press(review.getByRole("button", { name: "Save 2 assignments" }));
    await page.getByText("2 assignments saved.").waitFor();
    expect(await heldIn(place)).toEqual({ sara: ["auditor"], sami: ["auditor", "seller"], sina: ["auditor"] });
    await hand.press(button(page, "Undo").last());
    await page.getByText(/^Undone: 2 assignments saved/).waitFor();
    expect(await heldIn(place)).toEqual({ sami: ["seller"], sina: ["auditor"] });
    await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  });

  test("adds 30 people from a list with a role in 5 steps", async ({ visit }) => {
    const place = await makePlace("Pasted Inc", { Paul: [] });
    const { page, hand } = await begin(visit, way, `/organization?id=${place.organizationId}`);
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
    await button(page, "Undo the roles").click();
    await page.getByText(/^Undone: 30 assignments saved/).waitFor();
    expect(Object.keys(await heldIn(place))).toEqual(["paul"]);
  });

  test("compares two people in 3 steps, and gives one what the other has in 5", async ({ visit }) => {
    const place = await makePlace("Joiners Inc", { Jana: ["seller", "auditor"], Jost: ["cashier"], Jens: [], Jo: [] });
    const other = await makePlace("Elsewhere Inc", {});
    const owner = await makeOwner(place, "Jens");
    const viewer = { userId: place.idOf("Jens"), organizationId: other.organizationId, roles: ["ORG_OWNER_VIEWER"] };
    await apply([{ administrator: viewer }]);
    const far = { userId: place.idOf("Jana"), projectId: `${other.organizationId}-till`, roleKeys: ["seller"] };
    await ask("carol", create, { ...far, organizationId: other.organizationId });
    const { page, hand } = await begin(visit, way, `/person?id=${place.idOf("Jost")}`, { token: owner.token });
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
    const review = dialog(page, "Save 1 assignment");
    await review.getByText("adds Auditor, Seller").waitFor();
    await hand.press(review.getByRole("button", { name: "Save 1 assignment" }));
    await page.getByText(/^Jost’s assignment .* saved\.$/).waitFor();
    expect(hand.steps).toBe(5);
    expect((await heldIn(place)).jost).toEqual(["auditor", "cashier", "seller"]);
    await expect.poll(() => table.getByRole("checkbox", { name: /Joiners/ }).count()).toBe(0);
    await button(page, "Nothing to give").waitFor();

    await removeAssignment(place.idOf("Jo"));
    await page.goto(new URL(`/compare?from=${place.idOf("Jost")}&to=${place.idOf("Jo")}`, page.url()).href);
    await button(page, "Give Jo 3 roles…").click();
    await press(page, "Save 1 assignment");
    await page.getByText(/^Jo’s assignment .* saved\.$/).waitFor();
    await page.getByText("Nothing to give").waitFor();
    await owner.revoke();
  });

  test("changes cells of people and roles or projects together, and far down by keyboard", async ({ visit }) => {
    const users = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`Mara${100 + at}`, ["seller"]]));
    const place = await makePlace("Matrix Inc", users);
    const { page, hand } = await begin(visit, way, `/project?id=${place.organizationId}-till`);
    await hand.press(page.getByRole("link", { name: "Matrix", exact: true }));
    const grid = page.getByRole("grid", { name: "People and roles" });
    const cell = (name: string | RegExp) => grid.getByRole("gridcell", { name });
    await cell("Mara100, Auditor: no").waitFor();
    await page.getByText("60 rows, 3 roles.").waitFor();
    await expectNoViolations(page, fewLooks);
    if (way === "mouse") await cell("Mara100, Auditor: no").click();
    else {
      await cell("Mara100, Auditor: no").focus();
      await page.keyboard.press("Space");
    }
    await cell("Mara100, Auditor: yes (changed)").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Space");
    await cell("Mara159, Seller: no (changed)").waitFor();
    await page.keyboard.press("Home");
    await page.keyboard.press("PageUp");
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Mara149, Auditor: no");
    await page.getByRole("region", { name: "Changes" }).getByText("2 assignments changed, not saved yet").waitFor();
    await expectNoViolations(page, fewLooks);
    await page.getByRole("button", { name: "Review…" }).click();
    const review = dialog(page, "Save 2 assignments");
    await review.getByText("removes Seller").waitFor();
    await hand.press(review.getByRole("button", { name: "Save 2 assignments" }));
    await page.getByText("2 assignments saved.").waitFor();
    expect(await heldIn(place)).toMatchObject({ mara100: ["auditor", "seller"], mara159: [] });
    // In sight of the cell with the focus, unlike the first row.
    await grid.getByRole("gridcell", { name: "Mara159, Seller: no", exact: true }).waitFor();
    expect(await page.getByRole("region", { name: "Changes" }).count()).toBe(0);

    await page.goto(new URL(`/matrix?organization=${place.organizationId}`, page.url()).href);
    const projects = page.getByRole("grid", { name: "People and projects" });
    await projects.getByRole("gridcell", { name: "Mara100, Till: Auditor, Seller" }).click();
    const roles = dialog(page, "Roles of Mara100");
    await roles.getByRole("checkbox", { name: /^Cashier/ }).check();
    await roles.getByRole("button", { name: "Apply" }).click();
    await projects.getByRole("gridcell", { name: "Mara100, Till: Auditor, Cashier, Seller (changed)" }).waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await projects.getByRole("gridcell", { name: "Mara100, Till: Auditor, Seller" }).waitFor();
  });

  test("exports a matrix", async ({ visit }) => {
    const place = await makePlace("Exported Inc", { Vera: ["seller"], Vito: [] });
    const page = await visit(`/matrix?project=${place.organizationId}-till`, { as: "carol" });
    const lines = (await exported(page)).split("\r\n");
    expect(lines[0]).toBe('"Person","Login name","Organization","Auditor","Cashier","Seller"');
    expect(lines[1]).toMatch(/^"Vera",.*,"Exported Inc","","","yes"$/);
    expect(lines[2]).toMatch(/^"Vito",.*,"Exported Inc","","",""$/);
  });
});

test("a role that is not granted to an organization can't be ticked there, and says why", async ({ visit }) => {
  const page = await visit(`/matrix?project=shop&filters=${encodeURIComponent('[{"userId":{"id":"bob"}}]')}`, {
    as: "carol",
  });
  const cell = (role: string) => page.getByRole("gridcell", { name: new RegExp(`^Bob Okafor, ${role}: `) });
  await cell("Cashier").click();
  await page.getByText("Cashier is not granted to Globex", { exact: true }).waitFor();
  expect(await cell("Cashier").textContent()).toBe("–");
  expect(await page.getByRole("region", { name: "Changes" }).count()).toBe(0);
  await cell("Seller").click();
  await page.getByRole("region", { name: "Changes" }).getByText("1 assignment changed").waitFor();
});
