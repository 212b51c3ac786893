import { type DirectoryEvent, DirectoryEventSchema } from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { removedIn } from "../../src/history/removals.ts";

type User = { id: string; organizationId: string; displayName?: string };

function event(before: User | undefined, after: User | undefined): DirectoryEvent {
  const held = (value: User | undefined) => value && { thing: { case: "user" as const, value } };
  return create(DirectoryEventSchema, {
    ...(before && { before: held(before) }),
    ...(after && { after: held(after) }),
  } as object);
}

const lea = { id: "lea", organizationId: "acme", displayName: "Lea" };
const added = event(undefined, lea);
const removed = event(lea, undefined);
const nameless = { id: "lea", organizationId: "acme" };

it("finds what the latest event removed, as it was", () => {
  expect(removedIn([removed, added])?.user).toMatchObject(lea);
});

it("finds no removal of what is there, was moved away or was added again, and none where there are no events", () => {
  const movedAway = event(lea, { ...lea, organizationId: "globex" });
  expect(removedIn([movedAway, removed, added])).toBeUndefined();
  expect(removedIn([added, removed, added])).toBeUndefined();
  expect(removedIn([])).toBeUndefined();
});

it("looks for the removal before an erasure", () => {
  const erased = event(nameless, { id: "lea", organizationId: "" });
  expect(removedIn([erased, event(nameless, undefined), event(undefined, nameless)])?.user).toMatchObject(nameless);
});
