import { DirectoryEventSchema } from "@authorization-service/client/directory";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { changeOf as changeOfEvent, onlyIn } from "../../src/history/change.ts";

type Told = MessageInitShape<typeof DirectoryEventSchema>;
type Thing = NonNullable<Told["before"]>["thing"];

function changeOf(before: Thing | undefined, after: Thing | undefined) {
  return changeOfEvent(
    create(DirectoryEventSchema, {
      ...(before && { before: { thing: before } }),
      ...(after && { after: { thing: after } }),
    }),
  );
}

const user = (told: object): Thing => ({
  case: "user",
  value: { id: "u", displayName: "Ann", preferredLoginName: "ann@acme.example", organizationId: "acme", ...told },
});
const text = (value: string) => ({ kind: "text", text: value });

it("a move says from which organization to which, and whom it is about", () => {
  expect(changeOf(user({}), user({ organizationId: "globex" }))).toMatchObject({
    title: "Person changed",
    effect: 1,
    differences: [
      { field: "displayName", before: text("Ann"), after: text("Ann") },
      {
        field: "organizationId",
        before: { kind: "organization", id: "acme" },
        after: { kind: "organization", id: "globex" },
      },
    ],
  });
});

it("a removal says everything that the thing had, and an addition everything that it got", () => {
  const role: Thing = { case: "projectRole", value: { projectId: "shop", key: "seller", displayName: "Seller" } };
  const fields = ["displayName", "key", "projectId"];
  const removed = changeOf(role, undefined);
  expect([removed.effect, removed.differences.map(({ field }) => field)]).toEqual([2, fields]);
  const added = changeOf(undefined, role);
  expect([added.effect, added.differences.map(({ field }) => field)]).toEqual([0, fields]);
  expect(added.differences.every(({ before, after }) => before === undefined && after !== undefined)).toBe(true);
});

it("a field that becomes empty differs", () => {
  const { differences } = changeOf(user({ avatarUrl: "https://pictures.example/ann" }), user({}));
  expect(differences.find(({ field }) => field === "avatarUrl")).toEqual({
    field: "avatarUrl",
    before: text("https://pictures.example/ann"),
    after: undefined,
  });
});

it.each([
  [{ case: "instance", value: true } as const, { kind: "text", text: "everything" }],
  [{ case: "organizationId", value: "acme" } as const, { kind: "organization", id: "acme" }],
  [{ case: "projectId", value: "shop" } as const, { kind: "project", id: "shop" }],
  [{ case: "projectGrantId", value: "g" } as const, { kind: "text", text: "a grant" }],
])("an administrator entry says where: %o", (scope, shown) => {
  const { differences } = changeOf(undefined, { case: "administrator", value: { userId: "u", scope, roles: ["X"] } });
  expect(differences.find(({ field }) => field === "scope")?.after).toEqual(shown);
});

it("long lists of roles are told by what differs", () => {
  const grant = (roleKeys: string[]): Thing => ({
    case: "projectGrant",
    value: { id: "g", projectId: "shop", organizationId: "globex", roleKeys },
  });
  const many = Array.from({ length: 500 }, (_, index) => `r${index}`);
  const { differences, places } = changeOf(grant([...many, "gone"]), grant([...many, "new"]));
  const roles = differences.find(({ field }) => field === "roleKeys");
  expect([onlyIn(roles?.before, roles?.after), onlyIn(roles?.after, roles?.before)]).toEqual([["gone"], ["new"]]);
  expect(places).toMatchObject({ project: "shop", organization: "globex" });
  expect(changeOf(grant(many), grant(many)).differences.map(({ field }) => field)).toEqual(["projectId"]);
});

it("a token says when it ends", () => {
  const token: Thing = { case: "token", value: { id: "t", name: "CI", userId: "u", expirationDate: { seconds: 5n } } };
  const { title, differences } = changeOf(token, undefined);
  expect(title).toBe("Token revoked");
  expect(differences.find(({ field }) => field === "expirationDate")?.before).toMatchObject({ at: { seconds: 5n } });
});

it("of a kind that the console doesn't know, nothing is said", () => {
  expect(changeOf(undefined, { case: undefined })).toMatchObject({ title: "", differences: [], places: {} });
});
