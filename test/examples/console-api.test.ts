import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoCallers, demoWorld } from "../../demo/world.ts";
import { startTestServer, type TestServer } from "../support/server.ts";

const page = await readFile(join(import.meta.dirname, "../../docs/console-api.md"), "utf8");
const shown = [...page.matchAll(/```sh\n(curl .*?)\n```\n\n```json\n(.*?)\n```/gs)].map(
  ([, curl = "", answer = ""]) => ({
    ...readCurl(curl),
    answer,
  }),
);

let server: TestServer;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await startTestServer();
  await server.database.load(...demoWorld());
  tokens.CAROL = await server.database.token(demoCallers.instanceOwner);
  tokens.ANN = await server.database.token(demoCallers.organizationOwner);
  tokens.BOB = await server.database.token(demoCallers.plainUser);
});
afterAll(() => server.stop());

test("docs/console-api.md shows every service, each call with its answer", () => {
  expect(shown.length).toBe(page.split("\ncurl ").length - 1);
  expect(new Set(shown.map(({ path }) => path.split("/")[0])).size).toBe(5);
});

// One after the other, as somebody pastes them: some change what later ones show.
test.each(shown)("$path answers $body on the demo world as the page says", async ({ path, caller, body, answer }) => {
  const { body: found } = await server.callService(path, body, { token: tokens[caller] ?? "" });
  expect(madeAlike(JSON.stringify(found))).toMatch(asPattern(answer));
});

function readCurl(curl: string): { path: string; caller: string; body: string } {
  const [, path = "", caller = "", body = ""] =
    /^curl -s http:\/\/127\.0\.0\.1:8080\/service\.(\S+) .*Bearer \$(\w+)".* -d(?: \\\n| )\s*'(.*)'$/s.exec(curl) ?? [];
  const aWeekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString();
  return { path, caller, body: body.replace(/'\$\(node -p '.*?'\)'/, aWeekAgo) };
}

/** What is left out may be anything. */
function asPattern(answer: string): RegExp {
  return new RegExp(`^${madeAlike(answer).split("…").map(RegExp.escape).join(".*")}$`, "s");
}

/** What is made when it is asked, or counts on, is another each time. */
function madeAlike(answer: string): string {
  return answer
    .replace(/"20(2[6-9]|[3-9]\d)-[^"]*Z"/g, '"now"')
    .replace(/"[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}"/g, '"id"')
    .replace(/"sequence":"\d+"/g, '"sequence":"next"');
}
