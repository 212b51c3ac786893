import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect, test } from "vitest";
import { demoCallers, demoWorld } from "../../demo/world.ts";
import openApi from "../../gen/openapi.json" with { type: "json" };
import { madeAlike, outputLike } from "../support/page.ts";
import { read } from "../support/repository.ts";
import { serveTests } from "../support/server.ts";

const page = read("docs/reference/rpcs.md");
const shown = [...page.matchAll(/```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```/gs)].map(
  ([, curl = "", answer = ""]) => ({ ...readCurl(curl), answer }),
);

const ajv = new Ajv2020({ strict: false, schemas: { openapi: openApi } });
addFormats.default(ajv);

const tokens: Record<string, string> = {};
/** The id of what was created last. */
let newest = "";

const server = await serveTests();
await server.database.load(...demoWorld());
tokens.CAROL = await server.database.token(demoCallers.instanceOwner);
tokens.ANN = await server.database.token(demoCallers.organizationOwner);
tokens.BOB = await server.database.token(demoCallers.plainUser);

test("docs/reference/rpcs.md shows every RPC under its name, each call with its answer", () => {
  expect(shown.length).toBe(page.split("\ncurl ").length - 1);
  const rpcs = Object.keys(openApi.paths).map((path) => path.replace("/service.", ""));
  expect([...new Set(shown.map(({ path }) => path))].toSorted()).toEqual(rpcs.toSorted());
  const names = [...page.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(names.toSorted()).toEqual(rpcs.map((path) => path.split("/")[1]).toSorted());
});

// One after the other, as they are pasted: some change what later ones show.
test.each(shown)("$path, called by $caller, answers as the page says", async ({ path, caller, body, answer }) => {
  const sent = body.replace("'$ID'", newest);
  expectDescribed(JSON.parse(sent), `paths/~1service.${path.replace("/", "~1")}/post/requestBody`);
  const { status, body: found } = await server.callService(path, sent, { token: tokens[caller] ?? "" });
  newest = found.id ?? newest;
  expect(madeAlike(JSON.stringify(found))).toMatch(outputLike(answer));
  expectDescribed(
    found,
    status === 200 ? `paths/~1service.${path.replace("/", "~1")}/post/responses/200` : "components/responses/Error",
  );
});

/** OpenAPI's schema at that place must describe the message. */
function expectDescribed(message: unknown, place: string): void {
  const $ref = `openapi#/${place}/content/application~1json/schema`;
  const validate: ValidateFunction = ajv.getSchema($ref) ?? ajv.compile({ $ref });
  validate(message);
  expect(validate.errors ?? []).toEqual([]);
}

function readCurl(curl: string): { path: string; caller: string; body: string } {
  const [, path = "", caller = "", body = ""] =
    /^curl -s http:\/\/127\.0\.0\.1:8080\/service\.(\S+) .*Bearer \$(\w+)".* -d(?: \\\n| )\s*'(.*)'$/s.exec(curl) ?? [];
  const aWeekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString();
  return { path, caller, body: body.replace(/'\$\(node -p '.*?'\)'/, aWeekAgo) };
}
