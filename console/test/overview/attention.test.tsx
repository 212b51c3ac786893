import type { ListAuthorizationsRequest } from "@authorization-service/client";
import type { ListAdministratorsRequest, ListOrganizationsRequest } from "@authorization-service/client/directory";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ConnectError } from "@connectrpc/connect";
import { screen, within } from "@testing-library/react";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { settings } from "../../src/settings.ts";
import { askedBy, reader } from "../directory/callers.ts";
import { acme, assignment, globex, world } from "../directory/world.ts";
import { type FakeService, openConsole } from "../support/console.tsx";
// Loaded before, so that no test waits for it.
import "../../src/overview/first-page.tsx";

const days = (count: number) => timestampFromMs(Date.now() + count * 86_400_000);
const visit = "authorization-console.last-visit";

afterEach(() => localStorage.removeItem(visit));

/** Acme has an owner, and Globex none; two assignments have no roles, and one ends soon; one of three tokens ends soon. */
function service(): FakeService {
  const told = world();
  return {
    ...told,
    directory: {
      ...told.directory,
      listAdministrators: ({ role }: ListAdministratorsRequest) => ({
        entries: role === "ORG_OWNER" ? [{ scope: { scope: { case: "organization", value: acme } } }] : [],
      }),
    },
    authorizations: {
      listAuthorizations: ({ filters }: ListAuthorizationsRequest) => {
        const asked = filters.at(-1)?.filter.case;
        const totalResult = asked === "not" ? 2 : asked === "expires" ? 1 : 0;
        return { authorizations: totalResult > 0 ? [assignment()] : [], pagination: { totalResult } };
      },
    },
    tokens: {
      listTokens: () => ({
        tokens: [
          { id: "t-1", expirationDate: days(13) },
          { id: "t-2", expirationDate: days(15) },
          { id: "t-3" },
          { id: "t-4", expirationDate: days(-1) },
        ],
      }),
    },
  };
}

const attention = () => screen.findByRole("region", { name: "What needs attention" });

/** Each line, with where its links lead. */
async function lines(count: number) {
  const region = await attention();
  await within(region).findAllByRole("listitem");
  await expect.poll(() => within(region).getAllByRole("listitem").length).toBe(count);
  return within(region)
    .getAllByRole("listitem")
    .map((line) => [
      line.textContent,
      ...within(line)
        .getAllByRole("link")
        .map((link) => decodeURIComponent(link.getAttribute("href") ?? "")),
    ]);
}

it("names organizations without an owner, assignments without roles, and what is about to end", async () => {
  openConsole("/", askedBy(service(), "instance", "IAM_OWNER"));
  expect(await lines(4)).toEqual([
    ["1 organization has no owner:Globex", "/organization?id=globex"],
    [
      "2 assignments have no roles",
      '/assignments?filters=[{"not":{"roleKey":{"method":"TEXT_FILTER_METHOD_CONTAINS"}}}]',
    ],
    [
      "1 assignment ends within 7 days",
      expect.stringMatching(
        /^\/assignments\?sort=ends&asc=true&filters=\[\{"state":\{"state":"STATE_ACTIVE"\}\},\{"expires":\{"to":"[^"]+"\}\}\]$/,
      ),
    ],
    ["1 of your tokens ends within 14 days", "/account"],
  ]);
});

it("counts the changes since the last visit, from the second one on", async () => {
  const told = service();
  const last = "2026-01-31T12:00:00.000Z";
  localStorage.setItem(visit, JSON.stringify([reader.id, last]));
  openConsole("/", {
    ...askedBy(told, "instance", "IAM_OWNER"),
    history: { listAuthorizationEvents: () => ({ pagination: { totalResult: 3 } }) },
    directoryHistory: { listDirectoryEvents: () => ({ pagination: { totalResult: 4 } }) },
  });
  expect((await lines(5)).at(-1)).toEqual(["7 changes since your last visit", `/history?from=${last}`]);
  const [visitor, time] = JSON.parse(localStorage.getItem(visit) ?? "[]");
  expect(visitor).toBe(reader.id);
  expect(Date.parse(time)).toBeGreaterThan(Date.now() - 60_000);
});

it("counts no changes since the visit of somebody else", async () => {
  localStorage.setItem(visit, JSON.stringify(["u-other", "2026-01-31T12:00:00.000Z"]));
  openConsole("/", {
    ...askedBy(service(), "instance", "IAM_OWNER"),
    history: { listAuthorizationEvents: () => ({ pagination: { totalResult: 3 } }) },
  });
  expect(await lines(4)).not.toContainEqual(expect.arrayContaining([expect.stringContaining("last visit")]));
  expect(JSON.parse(localStorage.getItem(visit) ?? "[]")[0]).toBe(reader.id);
});

it("names no organization to a reader who may not see its owners", async () => {
  openConsole("/", askedBy(service(), "acme", "ORG_OWNER"));
  expect(await lines(3)).not.toContainEqual(expect.arrayContaining([expect.stringContaining("owner")]));
});

it("says that nothing needs attention only if all answers say so", async () => {
  const told = service();
  const nothing: FakeService = {
    ...told,
    directory: { ...told.directory, listOrganizations: () => ({ organizations: [acme] }) },
    authorizations: { listAuthorizations: () => ({ pagination: {} }) },
    tokens: { listTokens: () => ({}) },
  };
  openConsole("/", askedBy(nothing, "instance", "IAM_OWNER"));
  expect(await within(await attention()).findByText("Nothing needs attention.")).toBeDefined();
});

it("has a skeleton until an answer says that there is something, or all say that there isn't", async () => {
  let answer = () => {};
  const asking = new Promise<object>((resolve) => {
    answer = () => resolve({});
  });
  const told = service();
  openConsole("/", {
    ...told,
    directory: { ...told.directory, listOrganizations: () => ({ organizations: [acme] }) },
    authorizations: { listAuthorizations: () => ({ pagination: {} }) },
    tokens: { listTokens: () => asking },
  });
  const region = within(await attention());
  await region.findByText("Loading…");
  expect(region.queryByText("Nothing needs attention.")).toBeNull();
  answer();
  await region.findByText("Nothing needs attention.");
  expect(region.queryByText("Loading…")).toBeNull();
});

it("says that not everything could be checked if an answer is missing", async () => {
  const told = service();
  const refusing: FakeService = {
    ...told,
    directory: { ...told.directory, listOrganizations: () => ({ organizations: [acme, globex].slice(0, 1) }) },
    authorizations: { listAuthorizations: () => ({ pagination: {} }) },
    tokens: {
      listTokens: () => {
        throw new ConnectError("no");
      },
    },
  };
  openConsole("/", askedBy(refusing, "instance", "IAM_OWNER"));
  expect(await within(await attention()).findByText("Not everything could be checked.")).toBeDefined();
  expect(screen.queryByText("Nothing needs attention.")).toBeNull();
});

it("asks for no more than the server permits, and says so if there is more", async () => {
  Object.assign(settings, { mostRows: 300 });
  onTestFinished(() => void Object.assign(settings, { mostRows: 1_000 }));
  const told = service();
  const asked: number[] = [];
  openConsole(
    "/",
    askedBy(
      {
        ...told,
        directory: {
          ...told.directory,
          listOrganizations: ({ pagination }: ListOrganizationsRequest) => {
            const limit = pagination?.limit ?? 0;
            if (limit > 1) asked.push(limit);
            return { organizations: [acme], pagination: { nextPageToken: "more" } };
          },
        },
      },
      "instance",
      "IAM_OWNER",
    ),
  );
  expect(await within(await attention()).findByText("Not everything could be checked.")).toBeDefined();
  expect(asked).toEqual([300]);
});
