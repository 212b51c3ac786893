import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";

export const dialog = (page: Page, name?: string | RegExp) =>
  page.getByRole("dialog", name === undefined ? {} : { name });

export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });

/** The box of a role in the dialog that is open, by how its name begins. */
export const box = (page: Page, role: string) => dialog(page).getByRole("checkbox", { name: new RegExp(`^${role}`) });

/** Presses a button in the dialog that is open. */
export const press = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true }).click();

/** Exports what is on the page, and resolves to the content of the file. */
export async function exported(page: Page): Promise<string> {
  const saved = page.waitForEvent("download");
  await button(page, "Export CSV").click();
  return text(await (await saved).createReadStream());
}
