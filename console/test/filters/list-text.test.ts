import fc from "fast-check";
import { expect, it } from "vitest";
import { listOf, textOf } from "../../src/filters/editor/thing-forms.tsx";

it.each([
  ["", []],
  ["ann", ["ann"]],
  ["ann\nbob\r\n\n carol ", ["ann", "bob", "carol"]],
  ["ann, bob,,carol,", ["ann", "bob", "carol"]],
  ["ann\nbob, ann", ["ann", "bob"]],
  ['"a,b", c', ["a,b", "c"]],
  ['"say ""hi"""', ['say "hi"']],
  ['half "quoted, text', ['half "quoted', "text"]],
])("%j is the list %j", (text, list) => {
  expect(listOf(text)).toEqual(list);
});

it("any list of different ids is read back from its text", () => {
  const ids = fc.uniqueArray(fc.oneof(fc.string({ minLength: 1 }), fc.stringMatching(/^[a ,"\n\r\t]+$/)));
  fc.assert(
    fc.property(ids, (list) => {
      expect(listOf(textOf(list))).toEqual(list);
    }),
  );
});
