import { type DirectoryEvent, DirectoryEventSchema } from "@authorization-service/client/directory";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { factOf } from "../../src/history/fact.tsx";
import { namesOf } from "../../src/history/names.ts";
import { acme, ann, globex, shop } from "../directory/world.ts";
import { textsOf } from "./show.tsx";

const seller = { key: "seller", displayName: "Seller" };

type Told = Exclude<MessageInitShape<typeof DirectoryEventSchema>, DirectoryEvent>;
type Thing = NonNullable<NonNullable<Told["before"]>["thing"]>;

function told(before: Thing | undefined, after: Thing | undefined): string[] {
  const event = create(DirectoryEventSchema, {
    ...(before && { before: { thing: before } }),
    ...(after && { after: { thing: after } }),
  });
  const listed = { ...shop, roles: [seller, { key: "auditor", displayName: "Auditor" }] } as never;
  const found = {
    users: [ann as never],
    projects: [listed],
    organizations: [acme as never, globex as never],
  };
  const names = namesOf(found, [event]);
  const { sentence, rest } = factOf({ entry: event, names });
  return [...textsOf(sentence, ".fact"), ...rest.map(({ field }) => field)];
}

const organization = (value: object): Thing => ({ case: "organization", value });
const user = (value: object): Thing => ({ case: "user", value: { ...ann, ...value } });
/** No longer in the directory. */
const erased = { id: "gone", displayName: "", preferredLoginName: "", avatarUrl: "" };
const project = (value: object): Thing => ({ case: "project", value: { ...shop, ...value } });
const role = (value: object): Thing => ({
  case: "projectRole",
  value: { ...seller, projectId: shop.id, group: "", ...value },
});
const grant = (...roleKeys: string[]): Thing => ({
  case: "projectGrant",
  value: { id: "g", projectId: shop.id, organizationId: globex.id, roleKeys },
});
const inAcme = { case: "organizationId" as const, value: acme.id };
const administrator = (roles: string[], scope: object = inAcme): Thing => ({
  case: "administrator",
  value: { userId: ann.id, scope: scope as typeof inAcme, roles },
});
const token = (name: string): Thing => ({ case: "token", value: { id: "t", name, userId: ann.id } });

it.each<[Thing | undefined, Thing | undefined, string[]]>([
  [undefined, organization(acme), ["Added the organization Acme"]],
  [organization({ ...acme, name: "Acne" }), organization(acme), ["Renamed the organization Acne to Acme"]],
  [organization(acme), undefined, ["Removed the organization Acme"]],
  [undefined, user({}), ["Added Ann Keller to Acme", "preferredLoginName"]],
  [user({ displayName: "Ann Miller" }), user({}), ["Renamed Ann Miller to Ann Keller"]],
  [undefined, user(erased), ["Added erased person to Acme"]],
  [user(erased), user(erased), ["Changed a name of erased person"]],
  [user(erased), user({ ...erased, organizationId: "" }), ["Erased the names of a person from the histories"]],
  [user({ organizationId: globex.id }), user({}), ["Moved Ann Keller from Globex to Acme"]],
  [user({ preferredLoginName: "a" }), user({}), ["Changed the login name of Ann Keller", "preferredLoginName"]],
  [
    user({ preferredLoginName: "a", displayName: "A" }),
    user({}),
    ["Changed the name and the login name of Ann Keller", "displayName", "preferredLoginName"],
  ],
  [user({}), undefined, ["Removed Ann Keller from Acme", "preferredLoginName"]],
  [undefined, project({}), ["Added the project Shop of Acme"]],
  [project({ name: "Store" }), project({}), ["Renamed the project Store to Shop"]],
  [project({}), undefined, ["Removed the project Shop of Acme"]],
  [undefined, role({ group: "staff" }), ["Added the role Seller to Shop", "key", "group"]],
  [undefined, role({ key: "raw", displayName: "" }), ["Added the role raw to Shop"]],
  [role({ displayName: "Sales" }), role({}), ["Renamed the role Sales of Shop to Seller"]],
  [role({}), role({ group: "staff" }), ["Changed the group of the role Seller of Shop", "group"]],
  [role({}), undefined, ["Removed the role Seller from Shop", "key"]],
  [undefined, grant("auditor", "seller"), ["Granted Shop to Globex with Auditor and Seller"]],
  [grant("seller"), grant("auditor"), ["Changed the grant of Shop to Globex: added Auditor; removed Seller"]],
  [grant("seller"), undefined, ["Removed the grant of Shop to Globex with Seller"]],
  [
    undefined,
    grant("1", "2", "3", "4", "5", "6", "7"),
    ["Granted Shop to Globex with 1, 2, 3, 4, 5, and 2 more", "roleKeys"],
  ],
  [undefined, administrator(["ORG_OWNER"]), ["Made Ann Keller Owner of Acme"]],
  [undefined, administrator(["IAM_OWNER"], { case: "instance", value: true }), ["Made Ann Keller Owner of everything"]],
  [
    administrator(["ORG_OWNER"]),
    administrator(["ORG_USER_MANAGER"]),
    ["Changed what Ann Keller administers of Acme: added Manager of people; removed Owner"],
  ],
  [administrator(["ORG_OWNER"]), undefined, ["Removed Ann Keller as Owner of Acme"]],
  [
    undefined,
    administrator(["ORG_OWNER"], { case: "organizationId", value: "hidden" }),
    ["Made Ann Keller Owner of another organization"],
  ],
  [undefined, token("CI"), ["Created the token CI for Ann Keller"]],
  [token(""), undefined, ["Revoked a token without a name of Ann Keller"]],
])("a change of the directory is a line that says what, which and where: %#", (before, after, expected) => {
  expect(told(before, after)).toEqual(expected);
});
