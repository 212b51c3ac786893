import { describe, expect } from "vitest";
import { makePlace } from "./support/ask.ts";
import { button, dialog } from "./support/find.ts";
import { hold } from "./support/hold.ts";
import { test } from "./support/visit.ts";

describe("with a slow server", () => {
  test("a change is sent once, however often confirmed, and the dialog stays until it is made", async ({ visit }) => {
    const place = await makePlace("Slow Names Inc", {});
    const page = await visit(`/project?id=${place.organizationId}-till`, { as: "carol" });
    await button(page, "Rename").click();
    await dialog(page).getByLabel("Name").fill("Cash desk");
    let sent = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/ApplyChanges") && !request.postData()?.includes('"dryRun":true')) sent += 1;
    });
    const letGo = await hold(page, "ApplyChanges");
    for (let times = 0; times < 3; times += 1) await page.keyboard.press("Enter");
    await page.keyboard.press("Escape");
    await button(page, "Saving…").click({ force: true });
    await letGo();
    await page.getByText("It is called Cash desk now.").waitFor();
    expect(sent).toBe(1);
    await expect.poll(() => dialog(page).count()).toBe(0);
  });

  test("what is typed before the search is loaded is in its field, and is no shortcut", async ({ visit }) => {
    const page = await visit("/assignments", { as: "carol" });
    await page.getByRole("rowheader").first().waitFor();
    const letGo = await hold(page, "search-dialog-*.js");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("off-board ann");
    await letGo();
    const field = page.getByRole("combobox", { name: /^Search people/ });
    await expect.poll(() => field.inputValue()).toBe("off-board ann");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    expect(await field.inputValue()).toBe("");
  });

  test("what is typed before the dialog of an assignment is loaded finds people, until Escape", async ({ visit }) => {
    const page = await visit("/assignments", { as: "carol" });
    await page.getByRole("rowheader").first().waitFor();
    const letGo = await hold(page, "create-dialog-*.js");
    await page.keyboard.press("n");
    await page.keyboard.type("ann keller");
    await letGo();
    await expect.poll(() => dialog(page).getByLabel("People", { exact: true }).inputValue()).toBe("ann keller");
    await page.getByRole("option", { name: /Ann Keller/ }).waitFor();
    for (let times = 0; times < 2; times += 1) await page.keyboard.press("Escape");
    await expect.poll(() => dialog(page).count()).toBe(0);
    await page.keyboard.press("?");
    await dialog(page).getByRole("heading", { name: "Keyboard shortcuts" }).waitFor();
  });

  test("what is typed after “Add person” in the search is in the dialog of the next page", async ({ visit }) => {
    const page = await visit("/assignments", { as: "carol" });
    await page.getByRole("rowheader").first().waitFor();
    const letGo = await hold(page, "people-page-*.js");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("add person");
    await page.getByRole("option", { name: /^Add person/ }).click();
    await expect.poll(() => dialog(page).count()).toBe(0);
    await page.keyboard.type("Fay New");
    await letGo();
    await expect.poll(() => dialog(page).getByRole("textbox").first().inputValue()).toBe("Fay New");
  });
});

test("a lost answer leaves the dialog as it was filled in, and trying again makes one change", async ({ visit }) => {
  const place = await makePlace("Lost Names Inc", {});
  const expects = /ERR_FAILED|409/;
  const page = await visit(`/organization?id=${place.organizationId}`, { as: "carol", expects });
  await button(page, "Rename").click();
  await dialog(page).getByLabel("Name").fill("Found Names Inc");
  // The page doesn't learn the new name, so the second attempt still says that it has seen the old one.
  const letGo = await hold(page, "ListOrganizations");
  let made = 0;
  await page.route("**/ApplyChanges", async (route) => {
    if (route.request().postData()?.includes('"dryRun":true')) return route.continue();
    made += 1;
    await route.fetch();
    await route.abort();
  });
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("alert").getByText("the change may have been made. It is safe to try again.").waitFor();
  expect(await dialog(page).getByLabel("Name").inputValue()).toBe("Found Names Inc");
  expect(made).toBe(1);
  await page.unroute("**/ApplyChanges");
  await button(page, "Rename").last().click();
  await page.getByText("It is called Found Names Inc now.").waitFor();
  await letGo();
  await page.getByRole("heading", { level: 1, name: "Found Names Inc" }).waitFor();
});
