import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { openConsole } from "./support/console.tsx";

const filters = [{ userId: { id: "ann" } }];
const written = `filters=${encodeURIComponent(JSON.stringify(filters))}`;
const service = {
  authorizations: { listAuthorizations: () => ({ pagination: {} }) },
  overview: { getOverview: () => ({}) },
};

/** The search that a link of the menu leads to. */
async function searchOf(name: string): Promise<unknown> {
  const link = await screen.findByRole("link", { name });
  const search = new URL(link.getAttribute("href") ?? "", "http://console.example").searchParams;
  return Object.fromEntries([...search].map(([key, value]) => [key, JSON.parse(value)]));
}

it("the overview counts what the table shows, and the table begins again", async () => {
  openConsole(`/assignments?${written}&sort=changed`, service);
  await waitFor(async () => expect(await searchOf("Overview")).toEqual({ filters }));
  expect(await searchOf("Assignments")).toEqual({});
});

it("the table shows what the overview counts, and the overview begins again", async () => {
  openConsole(`/overview?${written}&top=25`, service);
  await waitFor(async () => expect(await searchOf("Assignments")).toEqual({ filters }));
  expect(await searchOf("Overview")).toEqual({});
});

it.each([
  ["/assignments", "Assignments · Authorizations"],
  ["/history", "History · Authorizations"],
  ["/overview", "Overview · Authorizations"],
])("the view at %s names itself in the title", async (address, title) => {
  openConsole(address, { ...service, history: { listAuthorizationEvents: () => ({ pagination: {} }) } });
  await waitFor(() => expect(document.title).toBe(title));
});

it.each([
  ["/person?id=ann", "People"],
  ["/add-people", "People"],
  ["/assign-list", "Assignments"],
  ["/project?id=shop", "Projects"],
  ["/role?project=shop&key=seller", "Projects"],
  ["/organization?id=acme", "Organizations"],
])("the page at %s marks the view that leads to it, %s", async (address, view) => {
  openConsole(address, service);
  const link = await screen.findByRole("link", { name: view });
  await waitFor(() => expect(link.getAttribute("aria-current")).toBe("true"));
  expect(document.querySelectorAll("nav [aria-current]")).toHaveLength(1);
});
