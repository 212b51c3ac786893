import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { apply, ask, assignment, assignmentsOf, makePlace, removeAssignment, rolesOf, tableOf } from "./support/ask.ts";
import { button, dialog } from "./support/find.ts";
import { begin, type Hand, type Way } from "./support/hand.ts";
import { makeOwner } from "./support/token.ts";
import { test } from "./support/visit.ts";

const list = "authorization.v2.AuthorizationService/ListAuthorizations";
const listProjects = "directory.v1.DirectoryService/ListProjects";
const listAdministrators = "directory.v1.DirectoryService/ListAdministrators";
const update = "authorization.v2.AuthorizationService/UpdateAuthorization";
const getCaller = "authorization.v2.CallerService/GetCaller";

const everything = (page: Page) => page.getByRole("combobox", { name: /^Search people/ });
const region = (page: Page, name: string) => page.getByRole("region", { name });
const facet = (page: Page, title: RegExp, option: RegExp) =>
  page.getByRole("region", { name: title }).getByRole("button", { name: option });

/** Goes to a thing by the search for everything. */
async function goTo(hand: Hand, page: Page, words: string): Promise<void> {
  await hand.keys("Control+k");
  await hand.fill(everything(page), words);
  await hand.keys("Enter");
}

/** Opens the form of a new assignment, and chooses someone and the project Till there. */
async function chooseAtTill(hand: Hand, page: Page, name: string): Promise<Locator> {
  await hand.press(button(page, "New assignment"));
  const creating = dialog(page, "New assignment");
  await hand.pick(creating.getByRole("combobox", { name: "People" }), name, new RegExp(name));
  await hand.press(creating.getByRole("radio", { name: "Till" }));
  return creating;
}

/** Makes someone without an assignment an auditor of Till. */
async function makeAuditor(hand: Hand, page: Page, name: string): Promise<void> {
  const creating = await chooseAtTill(hand, page, name);
  await hand.press(creating.getByRole("checkbox", { name: /^Auditor/ }));
  await hand.press(creating.getByRole("button", { name: "Create" }));
  await page.getByRole("complementary", { name: "Assignment" }).getByRole("heading", { name }).waitFor();
}

/** Undoes the last change in 1 step. */
async function takeBack(hand: Hand, page: Page, said: string | RegExp): Promise<void> {
  hand.steps = 0;
  await expect.poll(() => page.getByRole("dialog").count()).toBe(0);
  await hand.keys("Control+z");
  await page.getByText(said).waitFor();
  expect(hand.steps).toBe(1);
}

/** What someone does from the page of assignments: each within its number of steps, with the mouse and by keyboard alone. */
describe.each<Way>(["mouse", "keyboard"])("by %s", (way) => {
  test("everything Ann Keller holds and administers, in 3 steps", async ({ visit }) => {
    const { page, hand } = await begin(visit, way);
    await page.getByRole("rowheader").first().waitFor();
    await goTo(hand, page, "keller ann");
    await page.getByRole("heading", { level: 1, name: "Ann Keller" }).waitFor();
    await region(page, "Assignments").getByRole("link", { name: "Shop" }).first().waitFor();
    await page.getByText("Owner", { exact: true }).first().waitFor();
    expect(hand.steps).toBeLessThanOrEqual(3);
  });

  test("gives someone in the reader's organization a role in 6 steps, and takes it back in 1", async ({ visit }) => {
    const place = await makePlace("Giving Inc", { Gina: ["seller"], Gwen: [] });
    const owner = await makeOwner(place, "Gina");
    const gwen = place.idOf("Gwen");
    await removeAssignment(gwen);
    // The panel of what is undone asks about it once more.
    const { page, hand } = await begin(visit, way, "/assignments", { token: owner.token, expects: /404/ });
    await makeAuditor(hand, page, "Gwen");
    expect(hand.steps).toBeLessThanOrEqual(6);
    const id = new URL(page.url()).searchParams.get("id") ?? "";
    expect(await rolesOf(id)).toEqual(["auditor"]);

    await takeBack(hand, page, /^Undone: .* saved\.$/);
    expect(await assignment(id)).toBeUndefined();
    await owner.revoke();
  });

  test("gives someone of another organization a role in it in 6 steps, and takes it back in 1", async ({ visit }) => {
    const place = await makePlace("Far Inc", { Faye: [] });
    const name = `Faye ${place.organizationId}`;
    const [id, loginName] = [place.idOf("Faye"), `${place.idOf("Faye")}@place.example`];
    const faye = { id, organizationId: place.organizationId, preferredLoginName: loginName, displayName: name };
    await apply([{ user: faye }, { remove: { authorizationId: id } }]);
    // The panel of what is undone asks about it once more.
    const { page, hand } = await begin(visit, way, "/assignments", { as: "carol", expects: /404/ });
    await makeAuditor(hand, page, name);
    expect(hand.steps).toBeLessThanOrEqual(6);
    const made = new URL(page.url()).searchParams.get("id") ?? "";
    expect(await assignment(made)).toMatchObject({ organization: { id: place.organizationId } });

    await takeBack(hand, page, /^Undone: .* saved\.$/);
    expect(await assignment(made)).toBeUndefined();
  });

  test("gives a role to someone who has an assignment there in 6 steps, and takes it back in 1", async ({ visit }) => {
    const place = await makePlace("Adding Inc", { Hana: ["seller"], Hugo: ["seller"] });
    const owner = await makeOwner(place, "Hana");
    const { page, hand } = await begin(visit, way, "/assignments", { token: owner.token });
    await chooseAtTill(hand, page, "Hugo");
    const editing = dialog(page, "New assignment");
    await editing.getByText("The person has an assignment there already.").waitFor();
    await hand.press(editing.getByRole("checkbox", { name: /^Auditor/ }));
    await hand.press(editing.getByRole("button", { name: "Save roles" }));
    await page.getByText(/^Hugo’s assignment .* saved\.$/).waitFor();
    expect(hand.steps).toBeLessThanOrEqual(6);
    expect(await rolesOf(place.idOf("Hugo"))).toEqual(["auditor", "seller"]);

    await takeBack(hand, page, /^Undone: Hugo’s .* saved\.$/);
    expect(await rolesOf(place.idOf("Hugo"))).toEqual(["seller"]);
    await owner.revoke();
  });

  test("assigns roles from a list in 5 steps, keeping a wrong line, and takes it back in 1", async ({ visit }) => {
    const place = await makePlace("Listed Inc", { Iris: ["seller"], Jan: ["seller"] });
    const { organizationId } = place;
    await removeAssignment(place.idOf("Jan"));
    const { page, hand } = await begin(visit, way);
    await page.getByRole("rowheader").first().waitFor();
    await goTo(hand, page, "roles list");
    const rows = [
      `${place.idOf("Iris")}@place.example, ${organizationId}-till, ${organizationId}, Auditor, cashier`,
      `Jan <${place.idOf("Jan")}@place.example>, ${organizationId}-till, ${organizationId}, Seller`,
      `${place.idOf("Jan")}, Nowhere, ${organizationId}, Seller`,
    ];
    const field = page.getByLabel(/^Person, project, organization, and roles/);
    await hand.fill(field, rows.join("\n"));
    await hand.press(button(page, "Save 2 assignments"));
    await page.getByText("2 assignments are saved. 1 line is left in the list.").waitFor();
    expect(hand.steps).toBeLessThanOrEqual(5);
    expect(await field.inputValue()).toBe(rows[2]?.replaceAll(", ", ","));
    const held = (await assignmentsOf(place)).map(({ user, roles }) => [
      user.displayName,
      roles.map(({ key }: any) => key),
    ]);
    expect(held.toSorted()).toEqual([
      ["Iris", ["auditor", "cashier", "seller"]],
      ["Jan", ["seller"]],
    ]);

    hand.steps = 0;
    await hand.press(button(page, "Undo").last());
    await page.getByText(/^Undone: 2 assignments saved\.$/).waitFor();
    expect(hand.steps).toBe(1);
    expect(await rolesOf(place.idOf("Iris"))).toEqual(["seller"]);
  });

  test("suspends someone who leaves in 5 steps, and undoes that in 1", async ({ visit }) => {
    // Each way has a leaver of its own, whom no search for the other one finds.
    const lea = { mouse: "Lea", keyboard: "Kim" }[way];
    const place = await makePlace("Leaver Inc", { [lea]: ["seller"], Lou: ["auditor"] });
    const { organizationId } = place;
    const user = place.idOf(lea);
    const second = await makePlace("Second Inc", { Other: ["seller"] });
    const there = { userId: user, projectId: `${second.organizationId}-till`, organizationId: second.organizationId };
    const { id: off } = await ask("carol", "authorization.v2.AuthorizationService/CreateAuthorization", there);
    await ask("carol", "authorization.v2.AuthorizationService/DeactivateAuthorization", { id: off });
    await apply([{ administrator: { userId: user, organizationId, roles: ["ORG_OWNER"] } }]);
    await ask("carol", "identity.v1.TokenService/CreateToken", { userId: user, name: "Leaving" });

    const { page, hand } = await begin(visit, way);
    await page.getByRole("rowheader").first().waitFor();
    await hand.keys("Control+k");
    await hand.fill(everything(page), `off-board ${user}`);
    await page.getByRole("option", { name: `Off-board ${lea}` }).waitFor();
    await hand.keys("Enter");
    await page.getByRole("heading", { level: 1, name: `Off-board ${lea}` }).waitFor();
    const goes = region(page, "What goes").getByRole("listitem");
    await expect
      .poll(() => goes.allTextContents())
      .toEqual([
        "Till in Leaver IncAssignmentSellerdeactivated",
        "Leaver IncAdministrator rolesOwnerremoved",
        "1 token of the personTokensrevoked for good",
      ]);
    await page.getByRole("alert").getByRole("link", { name: "Leaver Inc" }).waitFor();
    await hand.press(button(page, `Suspend ${lea}`));
    await page.getByText(`${lea} is suspended.`).waitFor();
    expect(hand.steps).toBeLessThanOrEqual(5);
    const held = async () => {
      const filters = [{ userId: { id: user } }];
      const { authorizations } = await ask("carol", list, { filters });
      const { administrators } = await ask("carol", listAdministrators, { userId: user });
      return [
        Object.fromEntries(authorizations.map((one: any) => [one.organization.name, one.state])),
        administrators.map(({ roles }: any) => roles),
      ];
    };
    expect(await held()).toEqual([{ "Leaver Inc": "STATE_INACTIVE", "Second Inc": "STATE_INACTIVE" }, []]);

    await takeBack(hand, page, `Undone: ${lea} has the assignments and administrator roles again.`);
    // What wasn't active before isn't active now.
    expect(await held()).toEqual([{ "Leaver Inc": "STATE_ACTIVE", "Second Inc": "STATE_INACTIVE" }, [["ORG_OWNER"]]]);
  });

  test("removes someone who leaves in 5 steps", async ({ visit }) => {
    const place = await makePlace("Gone Inc", { Gil: ["seller"] });
    const { page, hand } = await begin(visit, way, `/person?id=${place.idOf("Gil")}`);
    await hand.press(page.getByRole("link", { name: "Off-board" }));
    await hand.press(page.getByRole("radio", { name: /^Remove everything/ }));
    await hand.press(button(page, "Remove Gil"));
    await page.getByText("Gil is removed.").waitFor();
    expect(hand.steps).toBeLessThanOrEqual(5);
    expect(await assignment(place.idOf("Gil"))).toBeUndefined();
  });

  test("who is auditor in Shop at Globex, active only, in 5 steps", async ({ visit }) => {
    const { page, hand } = await begin(visit, way);
    await hand.press(facet(page, /^Project/, /^Shop/));
    await hand.press(facet(page, /^Organization/, /^Globex/));
    await hand.press(facet(page, /^Role/, /^Auditor/));
    await hand.press(facet(page, /^State/, /^Active/));
    expect(hand.steps).toBeLessThanOrEqual(5);
    const filters = [
      { projectId: { id: "shop" } },
      { organizationId: { id: "globex" } },
      { roleKey: { key: "auditor" } },
      { state: { state: "STATE_ACTIVE" } },
    ];
    const { pagination } = await ask("carol", list, { filters });
    await page.getByText(new RegExp(`\\b${pagination.totalResult} assignments$`)).waitFor();
  });

  test("deactivates 20 assignments in 5 steps, and undoes that in 1", async ({ visit }) => {
    const users = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`Ines ${index}`, ["seller"]]));
    const place = await makePlace("Leave Inc", users);
    const { page, hand } = await begin(visit, way, tableOf(place));
    await page.getByRole("rowheader").first().waitFor();
    await hand.pickRows(20);
    await page.getByText("20 selected").waitFor();
    await hand.press(button(page, "Deactivate"));
    await hand.press(button(page, "Deactivate 20 assignments"));
    await page.getByText("20 assignments deactivated.").waitFor();
    expect(hand.steps).toBeLessThanOrEqual(5);
    const active = () => assignmentsOf(place, { state: { state: "STATE_ACTIVE" } });
    expect(await active()).toHaveLength(5);

    await takeBack(hand, page, "Undone: 20 assignments deactivated.");
    expect(await active()).toHaveLength(25);
  });

  test("who changed Bob's roles, and who made Carol an owner, in 5 steps", async ({ visit }) => {
    const place = await makePlace("Deeds Inc", { Boss: [], Bob: ["seller"], Carol: [] });
    const { organizationId } = place;
    // Others have these names, too.
    const [bob, carol] = [`Bob ${organizationId}`, `Carol ${organizationId}`];
    const named = (user: string, displayName: string) => {
      const id = place.idOf(user);
      return { user: { id, organizationId, preferredLoginName: `${id}@place.example`, displayName } };
    };
    const owner = await makeOwner(place, "Boss");
    const administrator = { userId: place.idOf("Carol"), organizationId, roles: ["ORG_OWNER"] };
    await apply([named("Bob", bob), named("Carol", carol)]);
    await ask(owner, update, { id: place.idOf("Bob"), roleKeys: ["auditor"] });
    // One request that changes two things about Carol, which is one line.
    const moved = { ...named("Carol", carol).user, preferredLoginName: `${place.idOf("Carol")}@deeds.example` };
    await ask(owner, "directory.v1.DirectoryService/ApplyChanges", { changes: [{ user: moved }, { administrator }] });

    const { page, hand } = await begin(visit, way);
    const newest = page.locator(".changes > li").first();
    await hand.press(page.getByRole("link", { name: "History", exact: true }));
    const about = page.getByRole("combobox", { name: "About" });
    await hand.pick(about, bob, /^Bob/);
    await expect
      .poll(() => newest.textContent())
      .toMatch(/^Roles changed: Bob.*\(added Auditor; removed Seller\).*Boss/);
    await hand.pick(about, carol, /^Carol/);
    const made = `Made ${carol} Owner of Deeds Inc`;
    await expect.poll(() => newest.textContent()).toMatch(/Changed the login name of Carol.*Boss/);
    await expect.poll(() => newest.getByRole("listitem").allTextContents()).toContain(made);
    const opener = newest.getByRole("button", { name: "Details" });
    expect(await opener.getAttribute("aria-expanded")).toBe("false");
    expect(hand.steps).toBeLessThanOrEqual(5);
    await owner.revoke();
  });

  test("Shop's roles, administrators and grants, in 3 steps", async ({ visit }) => {
    const { page, hand } = await begin(visit, way);
    await page.getByRole("rowheader").first().waitFor();
    await goTo(hand, page, "shop");
    await page.getByRole("heading", { level: 1, name: "Shop" }).waitFor();
    await region(page, "Roles").getByRole("link", { name: "Auditor" }).waitFor();
    await region(page, "Grants").getByRole("link", { name: "Globex" }).waitFor();
    await region(page, "Administrators").getByText("Owner", { exact: true }).waitFor();
    expect(hand.steps).toBeLessThanOrEqual(3);
  });

  test("makes a project with three roles, a grant and an owner in 10 steps", async ({ visit }) => {
    const { page, hand } = await begin(visit, way);
    await hand.press(page.getByRole("link", { name: "Projects", exact: true }));
    await hand.press(button(page, "Add project"));
    const adding = dialog(page, "Add a project");
    const picker = (name: RegExp) => adding.getByRole("combobox", { name });
    await expect.poll(() => picker(/owns/).inputValue()).toBe("Example Cloud");
    await hand.fill(adding.getByLabel("Name"), `Workshop ${way}`);
    await hand.fill(adding.getByLabel(/^Roles/), "carver, guest, smith");
    await hand.pick(picker(/^Grant/), "globex", /^Globex/);
    await hand.pick(picker(/^Person/), "Ann Keller", /Ann Keller/);
    await hand.press(adding.getByRole("button", { name: "Add", exact: true }));
    await page.getByRole("heading", { level: 1, name: `Workshop ${way}` }).waitFor();
    expect(hand.steps).toBeLessThanOrEqual(10);
    await region(page, "Grants").getByRole("link", { name: "Globex" }).waitFor();

    const id = new URL(page.url()).searchParams.get("id") ?? "";
    const { projects } = await ask("carol", listProjects, { filters: [{ ids: { ids: [id] } }] });
    const keys = ["carver", "guest", "smith"];
    expect(projects[0].roles.map(({ key }: any) => key)).toEqual(keys);
    expect(projects[0].grants).toMatchObject([{ organization: { id: "globex" }, roleKeys: keys }]);
    const { administrators } = await ask("carol", listAdministrators, { projectId: id });
    expect(administrators).toMatchObject([{ userId: "ann", roles: ["PROJECT_OWNER"] }]);
    await apply([{ remove: { projectId: id } }]);
  });

  test("makes an organization with an owner in 8 steps", async ({ visit }) => {
    const { page, hand } = await begin(visit, way);
    await hand.press(page.getByRole("link", { name: "Organizations", exact: true }));
    await hand.press(button(page, "Add organization"));
    const adding = dialog(page, "Add an organization");
    await hand.fill(adding.getByLabel("Name"), `Guild ${way}`);
    await hand.pick(adding.getByRole("combobox", { name: /^Person/ }), "Ann Keller", /Ann Keller/);
    await hand.press(adding.getByRole("button", { name: "Add", exact: true }));
    await page.getByRole("heading", { level: 1, name: `Guild ${way}` }).waitFor();
    expect(hand.steps).toBeLessThanOrEqual(8);

    const organizationId = new URL(page.url()).searchParams.get("id") ?? "";
    const { administrators } = await ask("carol", listAdministrators, { organizationId });
    expect(administrators).toMatchObject([{ userId: "ann", roles: ["ORG_OWNER"] }]);
    await apply([{ remove: { organizationId } }]);
  });

  test("creates a token in 6 steps, and revokes it in 3", async ({ visit }) => {
    const place = await makePlace("Tokens Inc", { Kira: ["seller"] });
    const owner = await makeOwner(place, "Kira");
    const { page, hand } = await begin(visit, way, "/assignments", { token: owner.token });
    await hand.press(page.getByRole("link", { name: /your account$/ }));
    await hand.press(button(page, "Create token"));
    await hand.fill(dialog(page, "Create a token").getByLabel("Name"), "Deploy");
    await hand.keys("Enter");
    const created = dialog(page, "Your new token");
    const token = (await created.locator("code").textContent()) ?? "";
    await hand.press(created.getByRole("button", { name: /^Copy/ }));
    await hand.press(created.getByRole("button", { name: "Close" }));
    await button(page, "Revoke the token Deploy").waitFor();
    expect(hand.steps).toBeLessThanOrEqual(6);
    expect((await ask({ token }, getCaller, {})).user.id).toBe(place.idOf("Kira"));

    await page.goto(new URL("/assignments", page.url()).href);
    hand.steps = 0;
    await hand.press(page.getByRole("link", { name: /your account$/ }));
    await hand.press(button(page, "Revoke the token Deploy"));
    await hand.press(page.getByRole("dialog").getByRole("button", { name: "Revoke" }));
    await page.getByText("1 token is revoked.").waitFor();
    expect(hand.steps).toBeLessThanOrEqual(3);
    await expect(ask({ token }, getCaller, {})).rejects.toThrow("401");
    await owner.revoke();
  });
});
