import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect } from "vitest";
import { runCommand } from "../support/command.ts";
import { expectNoViolations } from "./support/accessibility.ts";
import { button } from "./support/find.ts";
import { begin } from "./support/hand.ts";
import { dataDirectoryOfTest, serviceOfTest } from "./support/service.ts";
import { test } from "./support/visit.ts";

const run = promisify(execFile);

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
    const DATA_DIR = await dataDirectoryOfTest();
    const owner = ["init", "--organization", "Initech", "--login", "olive@initech.example", "--name", "Olive Orr"];
    const token = (await runCommand(owner, { env: { DATA_DIR } })).stdout.trim();
    const service = await serviceOfTest({ DATA_DIR, DEMO: "false" });
    const { page, hand } = await begin(visit, "keyboard", "/assignments", { token, service });
    /** The next step is the one to do. */
    const step = (name: string) => page.locator("[aria-current=step]").getByRole("heading", { name }).waitFor();

    await page.getByRole("heading", { name: "Set up your service" }).waitFor();
    await expectNoViolations(page);
    await hand.press(page.getByRole("link", { name: "Start with the first steps", exact: true }));
    await step("Project");
    await expectNoViolations(page);
    await hand.press(button(page, "Add project"));
    await hand.fill(page.getByLabel("Name", { exact: true }), "Intranet");
    await hand.keys("Enter");
    await step("Roles");
    await expectNoViolations(page);

    // Left and resumed: from the table, without anything in the address.
    await page.goto(`${service.url}/`);
    await page.getByRole("link", { name: "Continue the first steps" }).click();
    await step("Roles");
    await hand.press(button(page, "Add roles"));
    await hand.fill(page.getByLabel("Key, or several with commas", { exact: true }), "reader, editor");
    await hand.keys("Enter");
    await step("People");
    await page.reload();
    await step("People");
    await hand.press(page.getByRole("link", { name: "Add people from a list", exact: true }));
    await hand.fill(page.getByLabel("People, one in each line", { exact: true }), five);
    await page.getByText("5 people found").waitFor();
    await page.getByRole("button", { name: "Add 5 people" }).waitFor();
    await expectNoViolations(page);
    await hand.press(button(page, "Add 5 people"));
    await step("Assignments");
    await hand.press(button(page, "New assignment"));
    await hand.pick(page.getByRole("combobox", { name: "People" }), "ada", /Ada Adler/);
    await hand.press(page.getByRole("checkbox", { name: /^editor/ }));
    await expectNoViolations(page);
    await hand.press(button(page, "Create"));
    await page.getByRole("heading", { name: "Use the API" }).waitFor();
    await expectNoViolations(page);

    const shown = await page.getByRole("region", { name: "With curl" }).locator("pre").textContent();
    const typescript = await page.getByRole("region", { name: "In TypeScript" }).locator("pre").textContent();
    expect(shown).not.toContain(token);
    const env = { PATH: process.env.PATH, TOKEN: token };
    hand.steps += 1; // Copies the line.
    const { stdout } = await run("sh", ["-c", shown ?? ""], { env });
    const listed = JSON.parse(stdout).authorizations;
    expect(listed.map(({ user, roles, project }: any) => [user.displayName, project.name, roles[0].key])).toEqual([
      ["Ada Adler", "Intranet", "editor"],
    ]);
    const script = ["--input-type=module-typescript", "-e", typescript ?? ""];
    expect((await run(process.execPath, script, { env, cwd: process.cwd() })).stdout).toBe("Ada Adler editor\n");
    expect(hand.steps).toBeLessThanOrEqual(25);
  });
});

describe("an organization", () => {
  test("with five people from a spreadsheet takes nine actions at most", async ({ visit }) => {
    const { page, hand } = await begin(visit, "keyboard");
    await page.getByRole("rowheader").first().waitFor();
    await hand.press(page.getByRole("link", { name: "Organizations", exact: true }));
    await hand.press(button(page, "Add organization"));
    await hand.fill(page.getByLabel("Name", { exact: true }), "Five Friends Inc");
    await hand.keys("Enter");
    await page.getByRole("heading", { level: 1, name: "Five Friends Inc" }).waitFor();
    await hand.press(page.getByRole("link", { name: "Add people from a list", exact: true }));
    await hand.fill(page.getByLabel("People, one in each line", { exact: true }), five);
    await page.getByRole("button", { name: "Add 5 people" }).waitFor();
    await expectNoViolations(page);
    await hand.press(button(page, "Add 5 people"));
    await page.getByText("5 people are added to Five Friends Inc.").waitFor();
    const people = page.getByRole("table", { name: "People" });
    await expect.poll(() => people.getByRole("rowheader").count()).toBe(5);
    expect(await people.textContent()).toContain('Bob "B" Boltbob@initech.example');
    expect(hand.steps).toBeLessThanOrEqual(9);

    // The same list once more: everyone is there already.
    await hand.press(page.getByRole("link", { name: "Add people from a list", exact: true }));
    await hand.fill(page.getByLabel("People, one in each line", { exact: true }), five);
    await page.getByText("5 people found, 5 lines can't be added").waitFor();
    expect(await page.getByText("Ada Adler has this login name already.").count()).toBe(1);
    await expectNoViolations(page);
  });
});
