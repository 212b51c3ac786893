import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { curlLines, typescriptLines } from "../../src/first-steps/lines.ts";

const asked = { baseUrl: "http://127.0.0.1:8080", projectId: "shop", organizationId: "acme" };

/** What a shell makes of the command: its words, with a function in the place of curl. */
function wordsOf(command: string): string[] {
  const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  const env = { PATH: "/usr/bin:/bin", TOKEN: "the-token" };
  return execFileSync("sh", ["-c", script], { env, encoding: "utf8" }).split("\0").slice(0, -1);
}

it("asks by curl for the active assignments of the place, with the token of the variable", () => {
  const words = wordsOf(curlLines(asked));
  expect(words[1]).toBe("http://127.0.0.1:8080/service.authorization.v2.AuthorizationService/ListAuthorizations");
  expect(words).toContain("Authorization: Bearer the-token");
  expect(JSON.parse(words.at(-1) ?? "")).toEqual({
    filters: [{ projectId: { id: "shop" } }, { organizationId: { id: "acme" } }, { state: { state: "STATE_ACTIVE" } }],
  });
});

it("ids can have any characters, which a shell and TypeScript take as they are", () => {
  const odd = { ...asked, projectId: `it's "$TOKEN" \`id\` \\ ; rm`, organizationId: "a\nb" };
  const { filters } = JSON.parse(wordsOf(curlLines(odd)).at(-1) ?? "");
  expect(filters.slice(0, 2)).toEqual([{ projectId: { id: odd.projectId } }, { organizationId: { id: "a\nb" } }]);
  const [, written = ""] = /case: "projectId", value: \{ id: (.*) \} \} \},/.exec(typescriptLines(odd)) ?? [];
  expect(JSON.parse(written)).toBe(odd.projectId);
});
