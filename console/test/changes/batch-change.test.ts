import { State } from "@authorization-service/client";
import { expect, it } from "vitest";
import { type BatchChange, planOf, wishesFor } from "../../src/changes/batch-change.ts";
import { batchChoices, placeKey, type RoleChoice } from "../../src/changes/offered-roles.ts";
import { assignment, callerWith, everything } from "./assignment.ts";

const seller = { key: "seller", displayName: "Seller", group: "staff" };
const auditor = { key: "auditor", displayName: "Auditor", group: "control" };
const owned = assignment("owned");
const granted = assignment("granted", { organization: { id: "globex", name: "Globex" } });
const inactive = assignment("inactive", { state: State.INACTIVE });
const both = assignment("both", { roles: [seller, auditor] });
const offers = new Map([
  [placeKey(owned), offering(seller, auditor)],
  [placeKey(granted), offering(seller)],
]);

function offering(...roles: RoleChoice[]) {
  return new Map(roles.map((role) => [role.key, role]));
}

function plan(change: BatchChange, rows: Parameters<typeof planOf>[1], caller = everything) {
  const { sent, leftOut } = planOf(change, rows, caller, offers);
  return { sent: sent.map(({ id }) => id), leftOut: leftOut.map(({ row, why }) => [row.id, why]) };
}

function adding(added: readonly string[], rows: Parameters<typeof planOf>[1]): BatchChange {
  return { kind: "add-roles", wishes: wishesFor(rows, { added }) };
}

it("what the caller may not change is left out", () => {
  const caller = callerWith({ case: "organization", value: { id: "acme" } }, ["user.grant.write"]);
  expect(plan({ kind: "deactivate" }, [owned, granted], caller)).toEqual({
    sent: ["owned"],
    leftOut: [["granted", "You can't change it"]],
  });
  expect(plan({ kind: "delete" }, [owned], caller).leftOut).toEqual([["owned", "You can't delete it"]]);
});

it("what is so already is left out", () => {
  expect(plan({ kind: "deactivate" }, [owned, inactive])).toEqual({
    sent: ["owned"],
    leftOut: [["inactive", "Already inactive"]],
  });
  expect(plan(adding(["seller"], [owned]), [owned]).leftOut).toEqual([["owned", "Already has these roles"]]);
  expect(
    plan({ kind: "remove-roles", wishes: wishesFor([owned, both], { removed: ["auditor"] }) }, [owned, both]),
  ).toEqual({
    sent: ["both"],
    leftOut: [["owned", "Doesn't have these roles"]],
  });
});

it("where a role is not offered, the assignment is left out, and it is said which role", () => {
  expect(plan(adding(["auditor"], [owned, granted]), [owned, granted])).toEqual({
    sent: ["owned"],
    leftOut: [["granted", "Not offered for Shop in Globex: Auditor"]],
  });
});

it("a role that is held needs no offer", () => {
  const row = assignment("held", { organization: granted.organization as never, roles: [auditor] });
  expect(plan(adding(["auditor", "seller"], [row]), [row]).sent).toEqual(["held"]);
});

/** Roles that count how often somebody goes through them. */
class Counting extends Map<string, RoleChoice> {
  visits = 0;
  override keys() {
    this.visits++;
    return super.keys();
  }
  override values() {
    this.visits++;
    return super.values();
  }
}

it("very many roles are gone through once for a place, to show them, and not for each row", () => {
  const many = new Counting(
    Array.from({ length: 1_000 }, (_, index) => [`role-${index}`, { ...seller, key: `role-${index}` }]),
  );
  const rows = Array.from({ length: 100 }, (_, index) => assignment(String(index)));
  const offered = new Map([[placeKey(owned), many]]);
  expect(batchChoices("add-roles", rows, offered)).toHaveLength(1_000);
  const { leftOut } = planOf(adding(["role-7", "unknown"], rows), rows, everything, offered);
  expect(leftOut.map(({ why }) => why)).toContain("Not offered for Shop in Acme: unknown");
  expect(many.visits).toBe(1);
});
