import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");

test("SECURITY.md names the address that deploy/placeholders.json has", () => {
  const { securityContact } = JSON.parse(read("deploy/placeholders.json"));
  expect(read("SECURITY.md")).toContain(`Write to ${securityContact},`);
});
