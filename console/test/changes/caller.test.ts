import { expect, it } from "vitest";
import { may, maySomewhere } from "../../src/directory/rights.ts";
import { assignment, callerWith } from "./assignment.ts";

const owned = assignment("owned");
const granted = assignment("granted", { organization: { id: "globex", name: "Globex" } });
const elsewhere = assignment("elsewhere", {
  project: { id: "wiki", name: "Wiki", organizationId: "initech" },
  organization: { id: "initech", name: "Initech" },
});
const shop = { id: "shop", name: "Shop", organizationId: "acme" };

it.each([
  ["the instance", { case: "instance", value: true }, [true, true, true]],
  ["the organization it is in", { case: "organization", value: { id: "globex" } }, [false, true, false]],
  [
    "the project's owner, of what is in it alone",
    { case: "organization", value: { id: "acme" } },
    [true, false, false],
  ],
  ["the project, where the owner assigns it", { case: "project", value: shop }, [true, false, false]],
  [
    "the project's grant",
    { case: "projectGrant", value: { id: "g", project: shop, organization: { id: "globex" } } },
    [false, true, false],
  ],
  [
    "the grant of another project",
    { case: "projectGrant", value: { id: "g", project: { id: "wiki" }, organization: { id: "globex" } } },
    [false, false, false],
  ],
] as const)("an entry on %s counts where the service lets it count", (_name, scope, expected) => {
  const caller = callerWith(scope as never);
  expect([owned, granted, elsewhere].map((row) => may(caller, "user.grant.write", row))).toEqual(expected);
});

it("one permission gives no other", () => {
  const caller = callerWith({ case: "instance", value: true }, ["user.grant.read", "user.grant.write"]);
  expect(may(caller, "user.grant.write", owned)).toBe(true);
  expect(may(caller, "user.grant.delete", owned)).toBe(false);
  expect(maySomewhere(caller, "user.grant.delete")).toBe(false);
});

it("nothing is held before the service has said who calls", () => {
  expect(may(undefined, "user.grant.read", owned)).toBe(false);
});
