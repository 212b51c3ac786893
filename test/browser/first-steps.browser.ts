import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { startEmptyService } from "./support/empty-service.ts";
import { test } from "./support/visit.ts";

const run = promisify(execFile);

/** Counts clicks, shortcuts and filled fields. Moving the focus by Tab is none of them, as moving the mouse isn't. */
class Counted {
  actions = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Presses Enter or Space on a control that the keyboard reaches. */
  async press(role: "link" | "button" | "checkbox", name: string | RegExp): Promise<void> {
    const control = this.#page.getByRole(role, { name, ...(typeof name === "string" && { exact: true }) });
    expect(await control.evaluate((element) => (element as HTMLElement).tabIndex)).toBe(0);
    await control.press(role === "checkbox" ? "Space" : "Enter");
    this.actions += 1;
  }

  async fill(label: string, text: string): Promise<void> {
    await this.#page.getByLabel(label, { exact: true }).fill(text);
    this.actions += 1;
  }

  async enter(): Promise<void> {
    await this.#page.keyboard.press("Enter");
    this.actions += 1;
  }
}

const five = [
  "Name\tE-mail",
  "Ada Adler\tada@initech.example",
  '"Bob ""B"" Bolt"\tbob@initech.example',
  "Cleo Cox\tcleo@initech.example",
  "Dan Dole\tdan@initech.example",
  "Eve Ek\teve@initech.example",
].join("\n");

describe("an empty database", () => {
  test("leads to the first assignment listed by curl in 25 actions at most, by keyboard alone", async ({ visit }) => {
    const dataDirectory = await mkdtemp(path.join(tmpdir(), "console-"));
    const service = await startEmptyService(dataDirectory);
    try {
      const page = await visit("/assignments", { token: service.token, service });
      const counted = new Counted(page);
      const step = (name: string) => page.getByRole("heading", { level: 2, name }).waitFor();

      await page.getByRole("heading", { name: "Set up your service" }).waitFor();
      await expectNoViolations(page);
      await counted.press("link", "Start with the first steps");
      await step("Organization");
      await expectNoViolations(page);
      await counted.press("button", "Use Initech");
      await step("Project");
      // No dialog was open, which would have loaded the looks of fields.
      expect(await page.locator("form.stack").evaluate((form) => getComputedStyle(form).display)).toBe("grid");
      await expectNoViolations(page);
      await counted.fill("Name of the project", "Intranet");
      await counted.enter();
      await step("Roles");
      await expectNoViolations(page);

      // Left and resumed: from the table, without anything in the address.
      await page.goto(`${service.url}/`);
      await page.getByRole("link", { name: "Continue the first steps" }).click();
      await step("Roles");
      await counted.fill("Keys, with commas between them", "reader, editor");
      await counted.enter();
      await step("People");
      await page.reload();
      await step("People");
      await counted.fill("People, one in each line", five);
      await page.getByText("5 people found").waitFor();
      await page.getByRole("button", { name: "Add 5 people" }).waitFor();
      await expectNoViolations(page);
      await counted.press("button", "Add 5 people");
      await step("Assignments");
      await counted.press("checkbox", /^editor/);
      await counted.press("checkbox", /^Ada Adler/);
      await expectNoViolations(page);
      await counted.press("button", "Assign to 1 person");
      await step("Use the API");
      await expectNoViolations(page);

      const shown = await page.getByRole("region", { name: "With curl" }).locator("pre").textContent();
      const typescript = await page.getByRole("region", { name: "In TypeScript" }).locator("pre").textContent();
      expect(shown).not.toContain(service.token);
      const env = { PATH: process.env.PATH, TOKEN: service.token };
      counted.actions += 1; // Copies the line.
      const { stdout } = await run("sh", ["-c", shown ?? ""], { env });
      const listed = JSON.parse(stdout).authorizations;
      expect(listed.map(({ user, roles, project }: any) => [user.displayName, project.name, roles[0].key])).toEqual([
        ["Ada Adler", "Intranet", "editor"],
      ]);
      const script = ["--input-type=module-typescript", "-e", typescript ?? ""];
      expect((await run(process.execPath, script, { env, cwd: process.cwd() })).stdout).toBe("Ada Adler editor\n");
      expect(counted.actions).toBeLessThanOrEqual(25);
    } finally {
      await service.stop();
      await rm(dataDirectory, { recursive: true, force: true });
    }
  });
});

describe("an organization", () => {
  test("with five people from a spreadsheet takes nine actions at most", async ({ visit }) => {
    const page = await visit("/assignments", { as: "carol" });
    const counted = new Counted(page);
    await page.getByRole("rowheader").first().waitFor();
    await counted.press("link", "Organizations");
    await counted.press("button", "Add organization");
    await counted.fill("Name", "Five Friends Inc");
    await counted.enter();
    await page.getByRole("heading", { level: 1, name: "Five Friends Inc" }).waitFor();
    await counted.press("link", "Add people from a list");
    await counted.fill("People, one in each line", five);
    await page.getByRole("button", { name: "Add 5 people" }).waitFor();
    await expectNoViolations(page);
    await counted.press("button", "Add 5 people");
    await page.getByText("5 people are added to Five Friends Inc.").waitFor();
    const people = page.getByRole("table", { name: "People" });
    await expect.poll(() => people.getByRole("rowheader").count()).toBe(5);
    expect(await people.textContent()).toContain('Bob "B" Boltbob@initech.example');
    expect(counted.actions).toBeLessThanOrEqual(9);

    // The same list once more: everyone is there already.
    await counted.press("link", "Add people from a list");
    await counted.fill("People, one in each line", five);
    await page.getByText("5 people found, 5 lines can't be added").waitFor();
    expect(await page.getByText("Ada Adler has this login name already.").count()).toBe(1);
    await expectNoViolations(page);
  });
});
