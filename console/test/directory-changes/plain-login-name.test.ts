import { expect, it } from "vitest";
import { plainLoginName } from "../../src/directory-changes/plain-login-name.ts";

it.each([
  ["upper case", "ANN"],
  ["an accent", "\u00e1nn"],
  ["an accent of its own", "a\u0301nn"],
  ["wide letters", "\uff21\uff4e\uff4e"],
  ["styled letters", "\u{1d5ee}\u{1d5fb}\u{1d5fb}"],
  ["an invisible character", "a\u200bn\u00adn"],
  ["a character that changes the direction", "\u202eann"],
  ["spaces around it", " ann\u00a0"],
])("a login name with %s looks like the plain one", (_, loginName) => {
  expect(plainLoginName(loginName)).toBe("ann");
});

it.each([
  ["another script", "\u0430nn"],
  ["a digit for a letter", "b0b", "bob"],
  ["more letters", "anne"],
])("one with %s is not recognized", (_, loginName, other = "ann") => {
  expect(plainLoginName(loginName)).not.toBe(plainLoginName(other));
});

it("a Turkish capital I with a dot looks like a plain i", () => {
  expect(plainLoginName("\u0130da")).toBe("ida");
});
