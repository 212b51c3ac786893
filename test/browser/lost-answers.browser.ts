import { expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { assignment, makePlace, rolesOf } from "./support/ask.ts";
import { box, button, dialog } from "./support/find.ts";
import { loseAnswers } from "./support/hold.ts";
import { test } from "./support/visit.ts";

const lost = /ERR_FAILED/;

test("a lost answer about roles or a state is told of as uncertain, and nothing is sent again", async ({ visit }) => {
  const id = (await makePlace("Lost Inc", { Yara: ["seller"] })).idOf("Yara");
  const page = await visit(`/assignments?id=${id}`, { as: "carol", expects: lost });
  const updates = await loseAnswers(page, "BatchUpdateAuthorizations");
  await button(page, "Edit roles").click();
  await box(page, "Auditor").check();
  await button(page, "Save").click();
  await dialog(page).getByRole("alert").getByText("It is unknown whether the marked assignments").waitFor();
  await expectNoViolations(page);
  expect(await rolesOf(id)).toEqual(["auditor", "seller"]);
  await button(page, "Check what they are now").click();
  await page.getByText(/^Yara’s assignment .* saved\.$/).waitFor();
  expect(await dialog(page).count()).toBe(0);

  const deactivations = await loseAnswers(page, "BatchSetState");
  await button(page, "Deactivate").click();
  await dialog(page).getByRole("alert").getByText("It is unknown whether the marked assignments").waitFor();
  await button(page, "Check what they are now").click();
  await button(page, "Activate").waitFor();
  expect((await assignment(id)).state).toBe("STATE_INACTIVE");
  expect([updates(), deactivations()]).toEqual([1, 1]);
});
