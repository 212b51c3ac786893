import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, inject } from "vitest";
import { expectNoViolations } from "./support/accessibility.ts";
import { makePlace, type Place, rolesOf } from "./support/ask.ts";
import { box, dialog, press } from "./support/find.ts";
import { makeOwner } from "./support/token.ts";
import { openTab, test, type Visit } from "./support/visit.ts";

const issuer = () => new URL(inject("issuer").url);

/** Goes to the issuer, and signs in there if a user is given. */
async function leaveForIssuer(page: Page, user?: string): Promise<void> {
  await page.getByRole("button", { name: "Sign in with your organization’s account" }).click();
  await page.waitForURL(`${issuer().origin}/**`);
  if (user !== undefined) await signInAs(page, user);
}

async function signInAs(page: Page, user: string): Promise<void> {
  await page.getByLabel("User").fill(user);
  await page.getByRole("button", { name: "Continue" }).click();
}

/** Opens an address and signs in as a user, until the table has rows. */
async function signedIn(visit: Visit, user: string, address = "/assignments"): Promise<Page> {
  const page = await visit(address);
  await page.clock.install();
  await leaveForIssuer(page, user);
  await rows(page).first().waitFor();
  return page;
}

/** The bodies of the requests for tokens from now on. */
function renewalsIn(context: BrowserContext): string[] {
  const renewals: string[] = [];
  context.on("request", (request) => {
    if (request.method() === "POST" && request.url().endsWith("/token")) renewals.push(request.postData() ?? "");
  });
  return renewals;
}

const rows = (page: Page) => page.getByRole("rowheader");
/** Also in tabs that lie behind another one, which take their time to be clicked. */
const refresh = (page: Page) =>
  page.getByRole("button", { name: "Refresh" }).evaluate((button: HTMLButtonElement) => button.click());
const stored = (page: Page) => page.evaluate(() => JSON.stringify({ ...sessionStorage }));

describe("signing in with an OpenID Connect issuer", () => {
  test("names the issuer, uses PKCE, and shows the view of the link afterwards", async ({ visit }) => {
    const page = await visit("/assignments?sort=user&asc=true");
    await page.getByText(`At ${issuer().host}.`).waitFor();
    const asked = page.waitForRequest((request) => request.url().startsWith(`${issuer().origin}/auth`));
    await leaveForIssuer(page);
    const { searchParams } = new URL((await asked).url());
    expect(searchParams.get("response_type")).toBe("code");
    expect(searchParams.get("code_challenge_method")).toBe("S256");

    await signInAs(page, "ann");
    await page.getByRole("banner").getByText("Ann Keller").waitFor();
    await rows(page).first().waitFor();
    expect(new URL(page.url()).search).toBe("?sort=user&asc=true");
  });

  test("leaves no code, token or state in the address, the history or other storage", async ({ visit }) => {
    const page = await visit("/assignments");
    const addresses: string[] = [];
    await leaveForIssuer(page);
    page.on("framenavigated", (frame) => addresses.push(frame.url()));
    await signInAs(page, "ann");
    await rows(page).first().waitFor();
    expect(addresses.at(-1)).toBe(`${inject("service").url}/assignments`);
    expect(Object.keys(JSON.parse(await stored(page))).sort()).toEqual([
      "authorization-console.session",
      "authorization-console.token",
    ]);
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, ""]);
    const entries = await historyOf(page);
    expect(entries.filter((url) => /code=|state=|signed-in/.test(url))).toEqual([]);
  });

  test("is told of a refusal in words, and begins again from there", async ({ visit }) => {
    const page = await visit("/assignments?sort=user");
    await leaveForIssuer(page);
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByRole("alert").getByText(`Access was refused at ${issuer().host}.`).waitFor();
    expect(new URL(page.url()).search).toBe("?sort=user");
    await expectNoViolations(page);
    await leaveForIssuer(page, "ann");
    await page.getByRole("banner").getByText("Ann Keller").waitFor();
  });

  test("takes no answer that was not asked for in this tab", async ({ visit }) => {
    const page = await visit("/signed-in?code=stolen&state=made-up");
    await page.getByRole("alert").getByText("began in another tab, or too long ago").waitFor();
    expect(page.url()).toBe(`${inject("service").url}/`);
    expect(await stored(page)).toBe("{}");
  });

  test("takes no answer with another's state", async ({ visit }) => {
    const page = await visit("/assignments");
    await page.route(`${issuer().origin}/auth?*`, (route) => {
      const url = route.request().url();
      return route.continue({ url: url.replace(/state=\w+/, "state=another") });
    });
    await leaveForIssuer(page, "ann");
    await page.getByRole("alert").getByText("began in another tab, or too long ago").waitFor();
  });

  test("says that the service does not know an account, and lets the issuer ask for another", async ({ visit }) => {
    const page = await visit("/assignments", { expects: /401/ });
    await leaveForIssuer(page, "nobody-here");
    await page.getByText("The service doesn't know your account").waitFor();
    await leaveForIssuer(page, "ann");
    await page.getByRole("banner").getByText("Ann Keller").waitFor();
  });

  test("says that the issuer cannot be reached", async ({ visit }) => {
    const page = await visit("/assignments", { expects: /ERR_FAILED/ });
    await page.route(`${issuer().origin}/**`, (route) => route.abort());
    await page.getByRole("button", { name: "Sign in with your organization’s account" }).click();
    await page.getByRole("alert").getByText(`${issuer().host} can't be reached`).waitFor();
  });
});

describe("a session of an issuer", () => {
  test("is renewed before its token ends, once for all calls", async ({ visit }) => {
    const page = await signedIn(visit, "ann");
    const before = await stored(page);
    const renewals = renewalsIn(page.context());
    await page.clock.fastForward("09:45");
    const answered = page.waitForResponse("**/ListAuthorizations");
    await page.getByRole("button", { name: "Refresh" }).click();
    expect((await answered).status()).toBe(200);
    expect(renewals).toEqual([expect.stringContaining("grant_type=refresh_token")]);
    expect(await stored(page)).not.toBe(before);
  });

  test("without a refresh token ends with its token, and keeps the address", async ({ visit }) => {
    const page = await signedIn(visit, "bob", "/assignments?limit=50");
    await page.clock.fastForward("10:01");
    await page.getByText("Your session has ended. Sign in again").waitFor();
    expect(new URL(page.url()).search).toBe("?limit=50");
    expect(await stored(page)).toBe("{}");
  });

  test("is over everywhere after signing out, and the issuer asks again who it is", async ({ visit }) => {
    const page = await signedIn(visit, "ann");
    const revoked = page.waitForRequest((request) => request.url().endsWith("/token/revocation"));
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("You are signed out here").waitFor();
    expect(await (await (await revoked).response())?.status()).toBe(200);
    await leaveForIssuer(page);
    await page.getByLabel("User").waitFor();
  });

  test("is that of other tabs, too, and one of them renews it for all", async ({ visit }) => {
    const page = await signedIn(visit, "ann");
    const tab = await openTab(page.context(), "/assignments");
    await tab.getByRole("banner").getByText("Ann Keller").waitFor();
    await rows(tab).first().waitFor();
    // A tab that is opened by another has a copy of its session storage.
    const [copy] = await Promise.all([
      page.context().waitForEvent("page"),
      page.evaluate(() => void window.open(location.href)),
    ]);
    await rows(copy).first().waitFor();
    const renewals = renewalsIn(page.context());
    // The issuer ends the whole session when a refresh token comes twice.
    for (const round of [1, 2, 3]) {
      await page.clock.fastForward("09:45");
      const answered = [page, tab, copy].map((one) => one.waitForResponse("**/ListAuthorizations"));
      await Promise.all([page, tab, copy].map(refresh));
      expect((await Promise.all(answered)).map((answer) => answer.status())).toEqual([200, 200, 200]);
      expect(renewals).toHaveLength(round);
    }
    expect(await stored(tab)).toBe(await stored(page));
    await page.close();
    await copy.close();
    await tab.clock.fastForward("09:45");
    const answered = tab.waitForResponse("**/ListAuthorizations");
    await refresh(tab);
    expect((await answered).status()).toBe(200);
    expect(new Set(renewals).size).toBe(4);
  });
});

describe("a session of an issuer that ends while a dialog is open", () => {
  /** Somebody whose session cannot be renewed has ticked a role, and the session has ended. */
  async function endWhileEditing(visit: Visit, name: string): Promise<{ page: Page; place: Place }> {
    const place = await makePlace(name, { Signe: [], Torben: ["seller"] });
    await makeOwner(place, "Signe");
    const page = await visit(`/assignments?id=${place.idOf("Torben")}`);
    await page.clock.install();
    await leaveForIssuer(page, place.idOf("Signe"));
    await page.getByRole("button", { name: "Edit roles" }).click();
    await box(page, "Auditor").check();
    await page.clock.fastForward("10:01");
    await page.getByText("Your session has ended. Sign in again").waitFor();
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/Torben|Signe|Auditor/);
    return { page, place };
  }

  async function signInInNewTab(page: Page): Promise<Page> {
    const opened = page.context().waitForEvent("page");
    await page.getByRole("button", { name: "Sign in with your organization’s account" }).click();
    const tab = await opened;
    await tab.getByRole("button", { name: "Sign in with your organization’s account" }).click();
    return tab;
  }

  test("continues after signing in in a new tab", async ({ visit }) => {
    const { page, place } = await endWhileEditing(visit, "Issued Inc");
    await expectNoViolations(page);
    // The issuer knows who it is and asks nothing.
    await signInInNewTab(page);
    await dialog(page).getByText("Saving adds Auditor.").waitFor();
    await press(page, "Save");
    await expect.poll(() => dialog(page).count()).toBe(0);
    expect(await rolesOf(place.idOf("Torben"))).toEqual(["auditor", "seller"]);
  });

  test("is dropped for another account", async ({ visit }) => {
    const { page, place } = await endWhileEditing(visit, "Other Issued Inc");
    await page.context().clearCookies();
    const tab = await signInInNewTab(page);
    await signInAs(tab, "bob");
    await page.getByRole("banner").getByText("Bob Okafor").waitFor();
    await page.getByRole("heading", { name: "Not found" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toMatch(/Torben|Signe|Issued Inc/);
    expect(await rolesOf(place.idOf("Torben"))).toEqual(["seller"]);
  });

  test("stays kept while signing in fails, and says so in the new tab", async ({ visit }) => {
    const { page } = await endWhileEditing(visit, "Refused Issued Inc");
    await page.context().clearCookies();
    const tab = await signInInNewTab(page);
    await tab.getByRole("button", { name: "Refuse" }).click();
    await tab.getByRole("alert").getByText(`Access was refused at ${issuer().host}.`).waitFor();
    await expectNoViolations(tab);
    await page.getByText("Your work is kept").waitFor();
    await leaveForIssuer(tab, "bob");
    await page.getByRole("banner").getByText("Bob Okafor").waitFor();
  });
});

async function historyOf(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  const { entries } = await session.send("Page.getNavigationHistory");
  return entries.map(({ url }) => url);
}
