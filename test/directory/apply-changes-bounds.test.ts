import { type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { afterAll, describe, expect, test } from "vitest";
import { ChangeSchema } from "../../gen/service/directory/v1/change_pb.ts";
import { applyChanges } from "../support/changes.ts";
import { expectError } from "../support/connect-errors.ts";
import { fingerprint } from "../support/fingerprint.ts";
import { serveSmallWorld } from "../support/server.ts";
import { user } from "../support/world.ts";

const { server, root } = await serveSmallWorld();
const before = await fingerprint(server.database);
afterAll(async () => expect(await fingerprint(server.database)).toEqual(before));

const ids = [
  ...["organization.id", "user.id", "user.organizationId", "project.id", "project.organizationId"],
  ...["projectRole.projectId", "projectRole.key"],
  ...["id", "projectId", "organizationId", "roleKeys[0]"].map((field) => `projectGrant.${field}`),
  ...["userId", "organizationId", "projectId", "projectGrantId"].map((field) => `administrator.${field}`),
  ...["id", "userId", "projectId", "organizationId", "roleKeys[0]"].map((field) => `authorization.${field}`),
  ...["organizationId", "userId", "projectId", "projectGrantId", "authorizationId"].map((field) => `remove.${field}`),
  ...["remove.projectRole.projectId", "remove.projectRole.key"],
  ...["userId", "organizationId", "projectId", "projectGrantId"].map((field) => `remove.administrator.${field}`),
];
const names = ["organization.name", "user.preferredLoginName", "project.name"];
const labels = ["user.displayName", "projectRole.displayName", "projectRole.group"];
const descriptions = ["projectRole.description"];
const others = ["user.avatarUrl", "administrator.roles[0]"];

const letter = "\u{1f600}";
const long = "x".repeat(201);
const unkept = ["a\0b", "a\ud800b"];

test("the fields of a change are those that are tested here", () => {
  expect([...textsOf(ChangeSchema)].toSorted()).toEqual(
    [...ids, ...names, ...labels, ...descriptions, ...others].toSorted(),
  );
});

describe("Ids and keys have 1 to 200 characters and at most 600 bytes of UTF-8", () => {
  test.each(ids)("%s", async (path) => {
    for (const text of ["", long, letter.repeat(151), `${letter.repeat(150)}x`, ...unkept]) await refuses(path, text);
    for (const text of ["x", "\u20ac".repeat(200), letter.repeat(150)]) await takes(path, text);
  });
});

describe("Names and preferred login names have 1 to 200 characters", () => {
  test.each(names)("%s", async (path) => {
    for (const text of ["", long, letter.repeat(201), ...unkept]) await refuses(path, text);
    for (const text of ["x", letter.repeat(200)]) await takes(path, text);
  });
});

describe("Display names and groups have up to 200 characters", () => {
  test.each(labels)("%s", async (path) => {
    for (const text of [long, letter.repeat(201), ...unkept]) await refuses(path, text);
    for (const text of ["", letter.repeat(200)]) await takes(path, text);
  });
});

describe("Descriptions have up to 500 characters", () => {
  test.each(descriptions)("%s", async (path) => {
    for (const text of [letter.repeat(501), ...unkept]) await refuses(path, text);
    for (const text of ["", letter.repeat(500)]) await takes(path, text);
  });
});

describe("An avatar URL is empty or an absolute http(s) URL of up to 2048 characters", () => {
  const start = "https://x.example/";

  test.each(["", start, "http://x", "HTTPS://x.example", "https://[::1]:8080/a?b=c#d", start.padEnd(2_048, "a")])(
    "%.40s is one",
    (url) => takes("user.avatarUrl", url),
  );

  const wrong = ["/a.png", "//x.example/a", "x.example", "a.png", "http:", "http://", "https:///a", "https://?a"];
  test.each([...wrong, "ftp://x.example", "javascript:alert(1)", "data:,x", "https://x y", start.padEnd(2_049, "a")])(
    "%.40s is none",
    (url) => refuses("user.avatarUrl", url),
  );
});

test("role keys are up to 1000 different ones", async () => {
  const keys = Array.from({ length: 1_001 }, (_, index) => `key-${index}`);
  for (const kind of ["projectGrant", "authorization"]) {
    const withKeys = (roleKeys: string[]) => ({ [kind]: { ...(complete[kind] as object), roleKeys } });
    await refusesChange(withKeys(keys), `${kind}.roleKeys`);
    await refusesChange(withKeys(["same", "same"]), `${kind}.roleKeys`);
    await takesChange(withKeys(keys.slice(1)));
  }
});

/** Valid changes, but for the scope of an administrator entry. */
const complete: Record<string, object> = {
  organization: { id: "x", name: "x" },
  user: { id: "x", organizationId: "x", preferredLoginName: "x" },
  project: { id: "x", organizationId: "x", name: "x" },
  projectRole: { projectId: "x", key: "x" },
  projectGrant: { id: "x", projectId: "x", organizationId: "x" },
  administrator: { userId: "x" },
  authorization: { id: "x", userId: "x", projectId: "x", organizationId: "x" },
};

/** A change that is valid whenever the text is valid at this place. */
function placed(path: string, text: string): object {
  const [kind = "", field = "", part] = path.split(".");
  if (kind === "remove") return { remove: part ? placed(`${field}.${part}`, text) : { [field]: text } };
  const name = field.replace("[0]", "");
  const isScope = kind === "administrator" && /^(organization|project|projectGrant)Id$/.test(name);
  const scope = kind === "administrator" && !isScope ? { instance: true } : {};
  return { [kind]: { ...complete[kind], ...scope, [name]: name === field ? text : [text] } };
}

const refuses = (path: string, text: string) => refusesChange(placed(path, text), path);
const takes = (path: string, text: string) => takesChange(placed(path, text));

async function refusesChange(change: object, path: string): Promise<void> {
  const answer = await applyChanges(server, root, [change]);
  expectError(answer, 400, "invalid_argument");
  // The library itself refuses lone surrogates, and names the field as the proto does.
  const field = path.replace(/^.*\.|\[0\]$/g, "").replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const isUnreadable = /^cannot decode /.test(answer.body.message);
  expect(answer.body.message).toContain(isUnreadable ? `.${field} from JSON` : `changes[0].${path}: `);
}

/** It is valid; what stands beside it cannot be applied. */
async function takesChange(change: object): Promise<void> {
  const answer = await applyChanges(server, root, [change, user("beside", "nowhere")]);
  expectError(answer, 400, "failed_precondition");
}

function* textsOf({ fields }: DescMessage, path = ""): Generator<string> {
  for (const field of fields) {
    const here = `${path}${field.jsonName}`;
    if (field.fieldKind === "message") yield* textsOf(field.message, `${here}.`);
    else if (field.fieldKind === "scalar" && field.scalar === ScalarType.STRING) yield here;
    else if (field.fieldKind === "list") yield `${here}[0]`;
  }
}
