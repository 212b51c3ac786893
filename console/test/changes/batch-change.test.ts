import { State } from "@authorization-service/client";
import { expect, it } from "vitest";
import { type BatchChange, placeKey, planOf } from "../../src/changes/batch-change.ts";
import { assignment, callerWith, everything } from "./assignment.ts";

const seller = { key: "seller", displayName: "Seller", group: "staff" };
const auditor = { key: "auditor", displayName: "Auditor", group: "control" };
const owned = assignment("owned");
const granted = assignment("granted", { organization: { id: "globex", name: "Globex" } });
const inactive = assignment("inactive", { state: State.INACTIVE });
const both = assignment("both", { roles: [seller, auditor] });
const offers = new Map([
  [placeKey(owned), [seller, auditor]],
  [placeKey(granted), [seller]],
]);

function plan(change: BatchChange, rows: Parameters<typeof planOf>[1], caller = everything) {
  const { sent, leftOut } = planOf(change, rows, caller, offers);
  return { sent: sent.map(({ id }) => id), leftOut: leftOut.map(({ row, why }) => [row.id, why]) };
}

it("what the caller may not change is left out", () => {
  const caller = callerWith({ case: "organization", value: { id: "acme" } }, ["user.grant.write"]);
  expect(plan({ kind: "deactivate" }, [owned, granted], caller)).toEqual({
    sent: ["owned"],
    leftOut: [["granted", "You may not change it"]],
  });
  expect(plan({ kind: "delete" }, [owned], caller).leftOut).toEqual([["owned", "You may not delete it"]]);
});

it("what is so already is left out", () => {
  expect(plan({ kind: "deactivate" }, [owned, inactive])).toEqual({
    sent: ["owned"],
    leftOut: [["inactive", "It is deactivated already"]],
  });
  expect(plan({ kind: "add-roles", keys: new Set(["seller"]) }, [owned]).leftOut).toEqual([
    ["owned", "It has these roles already"],
  ]);
  expect(plan({ kind: "remove-roles", keys: new Set(["auditor"]) }, [owned, both])).toEqual({
    sent: ["both"],
    leftOut: [["owned", "It has none of these roles"]],
  });
});

it("where a role is not offered, the assignment is left out, and it is said which role", () => {
  expect(plan({ kind: "add-roles", keys: new Set(["auditor"]) }, [owned, granted])).toEqual({
    sent: ["owned"],
    leftOut: [["granted", "Not offered for Shop in Globex: Auditor"]],
  });
});

it("a role that is held needs no offer", () => {
  const row = assignment("held", { organization: granted.organization as never, roles: [auditor] });
  expect(plan({ kind: "add-roles", keys: new Set(["auditor", "seller"]) }, [row]).sent).toEqual(["held"]);
});
