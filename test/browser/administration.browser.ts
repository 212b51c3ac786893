import { describe, expect } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { ask, makePlace } from "./support/ask.ts";
import { makeOwner } from "./support/token.ts";
import { test } from "./support/visit.ts";

const listProjects = "directory.v1.DirectoryService/ListProjects";
const listUsers = "directory.v1.DirectoryService/ListUsers";
const listAdministrators = "directory.v1.DirectoryService/ListAdministrators";

describe("an organization's owner", () => {
  test("makes a project with three roles, grants it to Globex, and gives it an owner", async ({ visit }) => {
    const place = await makePlace("Makers Inc", { Mona: [], Nils: [] });
    const owner = await makeOwner(place, "Mona");
    const page = await visit("/", { token: owner.token });
    await page.getByRole("link", { name: "Projects", exact: true }).click();
    await page.getByRole("button", { name: "Add project" }).click();
    const adding = page.getByRole("dialog", { name: "Add a project" });
    await expect.poll(() => adding.getByRole("combobox").inputValue()).toBe("Makers Inc");
    await expectNoViolations(page);
    await adding.getByLabel("Name").fill("Workshop");
    await adding.getByRole("button", { name: "Add", exact: true }).click();

    await page.getByRole("heading", { level: 1, name: "Workshop" }).waitFor();
    await page.getByRole("button", { name: "Add roles" }).click();
    const roles = page.getByRole("dialog", { name: "Add roles" });
    await roles.getByLabel("Key, or several with commas").fill("smith, carver, guest");
    await expectNoViolations(page);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "carver", exact: true }).waitFor();

    await page.getByRole("button", { name: "Add administrator" }).click();
    const giving = page.getByRole("dialog", { name: "Add an administrator of Workshop" });
    await giving.getByRole("combobox", { name: "Person" }).fill("Nils");
    await page.getByRole("option", { name: /Nils/ }).click();
    await giving.getByRole("checkbox", { name: /\(PROJECT_OWNER\) manages/ }).check();
    await expectNoViolations(page);
    await giving.getByRole("button", { name: "Save" }).click();
    const administrators = page.getByRole("region", { name: "Administrators" });
    await administrators.getByText("Owner (PROJECT_OWNER)", { exact: true }).waitFor();
    await expectNoViolations(page);

    const id = new URL(page.url()).searchParams.get("id") ?? "";
    const { projects } = await ask(owner, listProjects, { filters: [{ ids: { ids: [id] } }] });
    expect(projects[0].roles.map(({ key }: any) => key)).toEqual(["carver", "guest", "smith"]);
    const { administrators: entries } = await ask(owner, listAdministrators, { projectId: id });
    expect(entries).toEqual([{ userId: place.idOf("Nils"), projectId: id, roles: ["PROJECT_OWNER"] }]);
    await owner.revoke();
  });

  test("removes a role after reading what it takes along, and a person", async ({ visit }) => {
    const place = await makePlace("Losers Inc", { Olga: ["seller"], Paul: ["seller"], Quinn: ["auditor"] });
    const owner = await makeOwner(place, "Olga");
    const page = await visit(`/project?id=${place.organizationId}-till`, { token: owner.token });
    await page.getByRole("button", { name: "Remove the role Seller" }).click();
    const removing = page.getByRole("dialog", { name: "Remove the role Seller?" });
    await removing.getByText("Removes roles from 2 assignments you can see in 1 organization").waitFor();
    await expectNoViolations(page);
    await removing.getByRole("button", { name: "Add a reason" }).click();
    await removing.getByLabel(/^Reason/).fill("No more sales");
    await removing.getByRole("button", { name: "Remove" }).click();
    await page.getByText("The role Seller is removed.").waitFor();
    const history = page.getByRole("region", { name: "History" });
    await history.getByText("Removed the role Seller from").waitFor();
    await history.getByText("No more sales").waitFor();

    await page.goto(new URL(`/person?id=${place.idOf("Paul")}`, page.url()).href);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    const leaving = page.getByRole("dialog", { name: "Remove Paul?" });
    await leaving.getByText("Deletes 1 assignment you can see in 1 organization").waitFor();
    await leaving.getByRole("button", { name: "Remove" }).click();
    await page.waitForURL(/\/people/);
    await owner.revoke();
  });
});

describe("two administrators at once", () => {
  test("the second to save sees what the first made of it, and decides again", async ({ visit }) => {
    const place = await makePlace("Pair Inc", { Vera: [] });
    const address = `/person?id=${place.idOf("Vera")}`;
    const [first, second] = [
      await visit(address, { as: "carol" }),
      await visit(address, { as: "carol", expects: /409/ }),
    ];
    const edit = async (page: typeof first, name: string) => {
      await page.getByRole("button", { name: "Edit", exact: true }).click();
      const box = page.getByRole("dialog", { name: "Edit Vera" });
      await box.getByLabel("Name", { exact: true }).fill(name);
      return box;
    };
    const [earlier, later] = [await edit(first, "Vera One"), await edit(second, "Vera Two")];
    await earlier.getByRole("button", { name: "Save" }).click();
    await first.getByText("Vera One is changed.").waitFor();
    await later.getByRole("button", { name: "Save" }).click();
    const notice = later.getByRole("alert");
    await notice.getByText("Nothing was overwritten.").waitFor();
    await notice.getByText("Vera One").waitFor();
    await expectNoViolations(second);
    const filters = [{ ids: { ids: [place.idOf("Vera")] } }];
    const nameNow = async () => (await ask("carol", listUsers, { filters })).users[0].displayName;
    expect(await nameNow()).toBe("Vera One");
    await later.getByRole("button", { name: "Save" }).click();
    await second.getByText("Vera Two is changed.").waitFor();
    expect(await nameNow()).toBe("Vera Two");
  });

  test("a new person with the id of another overwrites no one without a warning", async ({ visit }) => {
    const place = await makePlace("Same Inc", { Wim: [] });
    const page = await visit(`/people?organization=${place.organizationId}`, { as: "carol" });
    await page.getByRole("button", { name: "Add person" }).click();
    const adding = page.getByRole("dialog", { name: "Add a person" });
    await adding.getByLabel("Name", { exact: true }).fill("Xena");
    await adding.getByLabel("Login name").fill("xena@place.example");
    await adding.getByLabel("Id", { exact: true }).fill(place.idOf("Wim"));
    await adding.getByRole("button", { name: "Add", exact: true }).click();
    await adding.getByText("A person with this id exists already.").waitFor();
    await expectNoViolations(page);
    const { users } = await ask("carol", listUsers, { filters: [{ ids: { ids: [place.idOf("Wim")] } }] });
    expect(users[0].displayName).toBe("Wim");
  });
});

describe("the account", () => {
  test("creates a token that works, and revokes it", async ({ visit }) => {
    const place = await makePlace("Keys Inc", { Rosa: [] });
    const owner = await makeOwner(place, "Rosa");
    const page = await visit("/", { token: owner.token });
    await page.getByRole("link", { name: /your account$/ }).click();
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("dialog", { name: "Create a token" }).getByLabel("Name").fill("Deploy");
    await expectNoViolations(page);
    await page.keyboard.press("Enter");
    const created = page.getByRole("dialog", { name: "Your new token" });
    const token = (await created.locator("code").textContent()) ?? "";
    await expectNoViolations(page);
    const { user } = await ask({ token }, "authorization.v2.CallerService/GetCaller", {});
    expect(user.id).toBe(place.idOf("Rosa"));
    await created.getByRole("button", { name: "Close" }).click();

    await page.getByRole("button", { name: "Revoke the token Deploy" }).click();
    await expectNoViolations(page);
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("1 token is revoked.").waitFor();
    await expect(ask({ token }, "authorization.v2.CallerService/GetCaller", {})).rejects.toThrow("401");
    await owner.revoke();
  });
});
