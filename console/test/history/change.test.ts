import { type AuthorizationEvent, AuthorizationEventSchema, State } from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { changeOf, projectWithTaken } from "../../src/history/change.ts";
import { momentText } from "../../src/parts/moment.tsx";

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

/** Such as "Roles changed · added seller, owner · No roles are left." */
function told(now: AuthorizationEvent): string {
  const { title, roles, notes } = changeOf(now, (_, key) => ({ key, displayName: "" }));
  const parts = roles.map((part) => `${part.label} ${part.roles.map(({ key }) => key).join(", ")}`);
  return [title, ...parts, ...notes].join(" · ");
}

it("an assignment comes with its roles, whatever was before", () => {
  expect(told(event("added", { roles: ["owner", "seller"] }))).toBe("Assigned · with owner, seller");
  const inactive = event("added", { state: State.INACTIVE, stateBefore: State.UNSPECIFIED });
  expect(told(inactive)).toBe("Assigned · Without roles. · Inactive from the beginning.");
});

it("a change tells what was added and what was removed", () => {
  const before = ["auditor", "cook"];
  expect(told(event("changed", { before, roles: ["cook", "owner", "seller"] }))).toBe(
    "Roles changed · added owner, seller · removed auditor",
  );
  expect(told(event("changed", { before }))).toBe("Roles changed · removed auditor, cook · No roles are left.");
});

it("a role that was taken has the name that it has in the project of the event", () => {
  const taken = event("changed", { before: ["cook"], roles: ["seller"] });
  const { roles } = changeOf(taken, (projectId, key) => ({ key, displayName: `${key} of ${projectId}` }));
  expect(roles.map((part) => part.roles.map(({ displayName }) => displayName))).toEqual([["SELLER"], ["cook of shop"]]);
  expect(projectWithTaken(taken)).toBe("shop");
  expect(projectWithTaken(event("changed", { before: ["cook"], roles: ["cook", "seller"] }))).toBe("");
});

it("a change of the state along with roles is told", () => {
  const off = { before: ["cook"], roles: ["owner"], state: State.INACTIVE };
  expect(told(event("changed", off))).toBe("Roles changed · added owner · removed cook · Deactivated as well.");
  const on = { before: ["owner"], roles: ["owner"], stateBefore: State.INACTIVE };
  expect(told(event("changed", on))).toBe("Roles changed · Activated as well.");
});

it("a change that touched no role says so", () => {
  expect(told(event("changed", { roles: ["cook"], before: ["cook"] }))).toBe(
    "Roles changed · The roles stayed the same.",
  );
});

it("an end that was set, or taken away, is told", () => {
  const roles = { roles: ["cook"], before: ["cook"] };
  const end = { expirationDate: timestampFromDate(new Date("2030-05-06T07:08")) };
  const text = `Ends ${momentText(end.expirationDate)}.`;
  const ended = (now: AuthorizationEvent, after?: object, before?: object) =>
    told(Object.assign(now, after, before && { expirationDateBefore: timestampFromDate(new Date("2029-01-01")) }));
  expect(ended(event("added", { roles: ["cook"] }), end)).toBe(`Assigned · with cook · ${text}`);
  expect(ended(event("changed", roles), end)).toBe(`End changed · ${text}`);
  expect(ended(event("changed", roles), {}, {})).toBe("End changed · No longer ends.");
  expect(ended(event("changed", { ...roles, roles: ["cook", "owner"] }), end)).toBe(
    `Roles changed · added owner · ${text}`,
  );
});

it("a removal tells what was held", () => {
  const gone = { state: State.UNSPECIFIED };
  expect(told(event("removed", { before: ["cook"], ...gone }))).toBe("Deleted · held cook");
  expect(told(event("removed", gone))).toBe("Deleted");
});

it("states go off and on again", () => {
  const same = { roles: ["cook"], before: ["cook"] };
  expect(told(event("deactivated", { ...same, state: State.INACTIVE }))).toBe("Deactivated");
  expect(told(event("reactivated", { ...same, stateBefore: State.INACTIVE }))).toBe("Activated again");
});

it("what followed from a change of the directory says so", () => {
  const before = ["auditor", "cook"];
  expect(told(event("cascade.changed", { before, roles: ["cook"] }))).toBe(
    "Roles removed from the project or grant · removed auditor · The project or its grant no longer has them.",
  );
  expect(told(event("cascade.removed", { before, state: State.UNSPECIFIED }))).toBe(
    "Deleted with a person, project, or organization · held auditor, cook · The person, the project, its grant or the organization was removed.",
  );
});

it("a type that this page does not know is shown as it is", () => {
  expect(told(event("moved"))).toBe("user.grant.moved");
  expect(told(event("constructor"))).toBe("user.grant.constructor");
});
