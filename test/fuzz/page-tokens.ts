import type { Dice } from "../../demo/dice.ts";
import { AuthorizationFieldName } from "../../gen/service/authorization/v2/authorization_pb.ts";
import { toSortColumn } from "../../src/rpc/messages/authorizations.ts";
import { listId } from "../../src/rpc/messages/page.ts";
import type { Call, Input } from "./input.ts";
import { methods, oneRequest, requestOf, type Wish } from "./requests.ts";

/** A list continued behind a position that the service never gave out, in a token that is otherwise its own. */
export function madeUpToken({ dice }: Wish): Input {
  const [name, list, request] = dice.pick([ofAuthorizations, ofAuthorizations, ofEvents, ofAdministrators, lookUp])(
    dice,
  );
  const method = methods.find((each) => each.name === name);
  if (method === undefined) throw new Error(`there is no ${name} any more`);
  const parts = Array.from({ length: dice.chance(0.9) ? lengths[name] : dice.below(5) }, () => dice.pick(positions));
  const pageToken = Buffer.from(JSON.stringify([list, ...parts])).toString("base64url");
  const body = { ...request, pagination: { ...request.pagination, pageToken } };
  const call: Call = { method, codec: "json", caller: "owner", plain: Buffer.from(JSON.stringify(body)) };
  return oneRequest("made-up page token", requestOf(call), { call });
}

type Listed = readonly [name: keyof typeof lengths, list: string, request: { pagination: object }];

/** How many parts a position has. */
const lengths = {
  ListAuthorizations: 2,
  ListAuthorizationEvents: 2,
  ListAdministrators: 3,
  ListOrganizations: 3,
  ListProjects: 3,
  ListUsers: 3,
};

function ofAuthorizations(dice: Dice): Listed {
  const columns = Object.values(AuthorizationFieldName).filter((value) => typeof value === "number");
  const sortingColumn = dice.pick(columns);
  const asc = dice.chance(0.5);
  const list = listId("authorizations", toSortColumn(sortingColumn), asc);
  return ["ListAuthorizations", list, { sortingColumn, pagination: { asc } } as Listed[2]];
}

function ofEvents(dice: Dice): Listed {
  const asc = dice.chance(0.5);
  return ["ListAuthorizationEvents", listId("events", asc), { pagination: { asc } }];
}

function ofAdministrators(dice: Dice): Listed {
  const asc = dice.chance(0.5);
  return ["ListAdministrators", listId("administrators", asc, "", "", "undefined"), { pagination: { asc } }];
}

function lookUp(dice: Dice): Listed {
  const lookUps = [
    ["ListOrganizations", "organizations", {}],
    ["ListProjects", "projects", {}],
    ["ListProjects", "assignable projects", { assignable: true }],
    ["ListUsers", "users", {}],
  ] as const;
  const [name, list, request] = dice.pick(lookUps);
  return [name, listId(list), { ...request, pagination: {} }];
}

const positions = [
  ...[
    "",
    "a1",
    "bob",
    "0",
    "1",
    "-1",
    "3",
    "4",
    "1704067200000000",
    "9".repeat(18),
    `-${"9".repeat(18)}`,
    "9".repeat(19),
  ],
  ...["253402300799999999", "253402300800000000", "-62135596800000001", "1e9", "NaN", "infinity", "2024-01-01", "0x1"],
  ...["a\0b", "\ud800", "😀".repeat(100), "x".repeat(2_000), "' or true --", "%", "\\", 7, null, true, [], {}, ["a"]],
];
