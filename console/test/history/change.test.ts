import { type AuthorizationEvent, AuthorizationEventSchema, State } from "@authorization-service/client";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { changeOf, eventsBefore, needsEventBefore } from "../../src/history/change.ts";

type Told = { sequence?: number; of?: string; roles?: string[]; state?: State };

function event(type: string, { sequence = 1, of = "a", roles = [], state = State.ACTIVE }: Told = {}) {
  return create(AuthorizationEventSchema, {
    sequence: BigInt(sequence),
    type: `user.grant.${type}`,
    authorizationId: of,
    roles: roles.map((key) => ({ key, displayName: key.toUpperCase() })),
    state,
  });
}

/** Such as "Roles changed · added seller, owner · No roles are left." */
function told(now: AuthorizationEvent, before?: AuthorizationEvent): string {
  const { title, roles, notes } = changeOf(now, before);
  const parts = roles.map((part) => `${part.label} ${part.roles.map(({ key }) => key).join(", ")}`);
  return [title, ...parts, ...notes].join(" · ");
}

it("an assignment comes with its roles, whatever was before", () => {
  expect(told(event("added", { roles: ["owner", "seller"] }))).toBe("Assigned · with owner, seller");
  expect(told(event("added", { roles: ["owner"] }), event("removed"))).toBe("Assigned · with owner");
  expect(told(event("added", { state: State.INACTIVE }))).toBe(
    "Assigned · Without roles. · Inactive from the beginning.",
  );
});

it("a change tells what was added and what was removed since the event before", () => {
  const before = event("added", { roles: ["auditor", "cook"] });
  const after = event("changed", { roles: ["cook", "owner", "seller"] });
  expect(told(after, before)).toBe("Roles changed · added owner, seller · removed auditor");
  expect(told(event("changed"), before)).toBe("Roles changed · removed auditor, cook · No roles are left.");
});

it("a change without an event before tells the roles it left", () => {
  expect(told(event("changed", { roles: ["cook"] }))).toBe("Roles changed · since then cook");
  expect(told(event("changed"))).toBe("Roles changed · No roles are left.");
});

it("a change of the state along with roles is told", () => {
  const before = event("added", { roles: ["cook"] });
  const off = event("changed", { roles: ["owner"], state: State.INACTIVE });
  expect(told(off, before)).toBe("Roles changed · added owner · removed cook · Deactivated as well.");
  expect(told(event("changed", { roles: ["owner"] }), off)).toBe("Roles changed · Activated as well.");
});

it("a change that touched no role says so", () => {
  const same = { roles: ["cook"] };
  expect(told(event("changed", same), event("added", same))).toBe("Roles changed · The roles stayed the same.");
});

it("a removal tells what was held, where that is known", () => {
  expect(told(event("removed"), event("added", { roles: ["cook"] }))).toBe("Removed · held cook");
  expect(told(event("removed"))).toBe("Removed");
});

it("states go off and on again", () => {
  const before = event("added", { roles: ["cook"] });
  expect(told(event("deactivated", { roles: ["cook"], state: State.INACTIVE }), before)).toBe("Deactivated");
  expect(told(event("reactivated", { roles: ["cook"] }), before)).toBe("Activated again");
});

it("what followed from a change of the directory says so", () => {
  const before = event("added", { roles: ["auditor", "cook"] });
  expect(told(event("cascade.changed", { roles: ["cook"] }), before)).toBe(
    "Roles lost by a change of the directory · removed auditor · The project or its grant no longer has them.",
  );
  expect(told(event("cascade.removed"), before)).toBe(
    "Removed by a change of the directory · held auditor, cook · The user, the project, its grant or the organization was removed.",
  );
});

it("a type that this page does not know is shown as it is", () => {
  expect(told(event("moved"))).toBe("user.grant.moved");
  expect(told(event("constructor"))).toBe("user.grant.constructor");
});

it("the event before is that of the same assignment, across pages and between others", () => {
  const pages = [
    [event("changed", { sequence: 9 }), event("removed", { sequence: 8, of: "b" }), event("changed", { sequence: 7 })],
    [event("added", { sequence: 4, of: "b" }), event("added", { sequence: 3 })],
  ];
  const before = eventsBefore(pages.flat());
  const sequences = [...before].map(([later, earlier]) => [Number(later), Number(earlier.sequence)]);
  expect(Object.fromEntries(sequences)).toEqual({ 9: 7, 8: 4, 7: 3 });
});

it("only changes and removals need the event before", () => {
  const types = ["added", "changed", "deactivated", "reactivated", "removed", "cascade.changed", "cascade.removed"];
  expect(types.filter((type) => needsEventBefore(event(type)))).toEqual([
    "changed",
    "removed",
    "cascade.changed",
    "cascade.removed",
  ]);
});
