import { type AuthorizationEvent, AuthorizationEventSchema, State } from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { ChangeOfEntry } from "../../src/history/fact.tsx";
import { namesOf, unnamedIn } from "../../src/history/names.ts";
import { momentText } from "../../src/parts/moment.tsx";
import { textsOf } from "./show.tsx";

type Told = { roles?: string[]; before?: string[]; state?: State; stateBefore?: State };

function event(type: string, { roles = [], before = [], state = State.ACTIVE, stateBefore = State.ACTIVE }: Told = {}) {
  return create(AuthorizationEventSchema, {
    type: `user.grant.${type}`,
    roles: roles.map((key) => ({ key, displayName: key.toUpperCase() })),
    roleKeysBefore: before,
    project: { id: "shop" },
    state,
    stateBefore,
  });
}

/** The sentence about an assignment, and what is below it, such as "Roles changed (added OWNER) · State inactive". */
function told(now: AuthorizationEvent): string {
  const projects = [{ id: "shop", roles: [{ key: "cook", displayName: "Cook of the shop" }] } as never];
  const names = namesOf({ users: [], organizations: [], projects }, [now]);
  return textsOf(<ChangeOfEntry entry={now} names={names} isOfOne />, ".fact, dt, dd").join(" · ");
}

it("an assignment comes with its roles, whatever was before", () => {
  expect(told(event("added", { roles: ["owner", "seller"] }))).toBe("Assigned (with OWNER and SELLER)");
  const inactive = event("added", { state: State.INACTIVE, stateBefore: State.UNSPECIFIED });
  expect(told(inactive)).toBe("Assigned (with no roles) · State · inactive");
});

it("a change tells what was added and what was removed", () => {
  const before = ["auditor", "clerk"];
  expect(told(event("changed", { before, roles: ["clerk", "owner", "seller"] }))).toBe(
    "Roles changed (added OWNER and SELLER; removed auditor)",
  );
  expect(told(event("changed", { before }))).toBe("Roles changed (removed auditor and clerk)");
});

it("a role that was taken has the name that it has in the project of the event", () => {
  const taken = event("changed", { before: ["cook"], roles: ["seller"] });
  expect(told(taken)).toBe("Roles changed (added SELLER; removed Cook of the shop)");
  expect(unnamedIn([taken]).projects).toEqual(["shop"]);
  expect(unnamedIn([event("changed", { before: ["cook"], roles: ["cook", "seller"] })]).projects).toEqual([]);
});

it("a change of the state along with roles is told", () => {
  const off = { before: ["clerk"], roles: ["owner"], state: State.INACTIVE };
  expect(told(event("changed", off))).toBe(
    "Roles changed (added OWNER; removed clerk) · State · Before: active → After: inactive",
  );
  const on = { before: ["owner"], roles: ["owner"], stateBefore: State.INACTIVE };
  expect(told(event("changed", on))).toBe("Roles changed · State · Before: inactive → After: active");
});

it("of an event that doesn't have the state before, none is told", () => {
  const now = { before: ["clerk"], roles: ["owner"], stateBefore: State.UNSPECIFIED };
  expect(told(event("changed", now))).toBe("Roles changed (added OWNER; removed clerk)");
});

it("an end that was set, or taken away, is told", () => {
  const roles = { roles: ["clerk"], before: ["clerk"] };
  const end = { expirationDate: timestampFromDate(new Date("2030-05-06T07:08")) };
  const last = { expirationDateBefore: timestampFromDate(new Date("2029-01-01T07:08")) };
  const text = momentText(end.expirationDate);
  const ended = (now: AuthorizationEvent, ...ends: object[]) => told(Object.assign(now, ...ends));
  expect(ended(event("added", { roles: ["clerk"] }), end)).toBe(`Assigned (with CLERK) · Ends · ${text}`);
  expect(ended(event("changed", roles), end)).toBe(`End changed · Ends · Before: never → After: ${text}`);
  expect(ended(event("changed", roles), last)).toBe(
    `End changed · Ends · Before: ${momentText(last.expirationDateBefore)} → After: never`,
  );
  expect(ended(event("changed", { ...roles, roles: ["clerk", "owner"] }), end)).toBe(
    `Roles changed (added OWNER) · Ends · Before: never → After: ${text}`,
  );
});

it("a removal tells what was held", () => {
  const gone = { state: State.UNSPECIFIED };
  expect(told(event("removed", { before: ["clerk"], ...gone }))).toBe("Deleted (held clerk)");
  expect(told(event("removed", gone))).toBe("Deleted (held no roles)");
});

it("states go off and on again", () => {
  const same = { roles: ["clerk"], before: ["clerk"] };
  expect(told(event("deactivated", { ...same, state: State.INACTIVE }))).toBe("Deactivated");
  expect(told(event("reactivated", { ...same, stateBefore: State.INACTIVE }))).toBe("Activated again");
});

it("what followed from a change of the directory says so", () => {
  const before = ["auditor", "clerk"];
  expect(told(event("cascade.changed", { before, roles: ["clerk"] }))).toBe(
    "Roles removed from the project or grant (removed auditor)",
  );
  expect(told(event("cascade.removed", { before, state: State.UNSPECIFIED }))).toBe(
    "Deleted with a person, project, or organization (held auditor and clerk)",
  );
});

it("a type that this page does not know is shown as it is", () => {
  expect(told(event("moved"))).toBe("user.grant.moved");
  expect(told(event("constructor"))).toBe("user.grant.constructor");
});

it("names what is beside it, and leads to the assignment, where there are several", () => {
  const names = namesOf({ users: [], organizations: [], projects: [] }, []);
  const shown = <ChangeOfEntry entry={event("added", { roles: ["owner"] })} names={names} />;
  expect(textsOf(shown, ".fact")).toEqual(["Assigned: someone, another project in another organization (with owner)"]);
  expect(textsOf(shown, "a")).toEqual(["Assigned"]);
});

it("has of many roles the first in the sentence, and all of them below it", () => {
  const many = ["1", "2", "3", "4", "5", "6", "7"];
  expect(told(event("changed", { before: many }))).toBe(
    "Roles changed (removed 1, 2, 3, 4, 5, and 2 more) · Roles · removed 1, 2, 3, 4, 5, 6, and 7",
  );
});
