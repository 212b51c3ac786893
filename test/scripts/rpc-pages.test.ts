import { describe, expect, test } from "vitest";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { tableOf, withLinks } from "../../scripts/rpc-pages/markdown.ts";
import { rpcPage } from "../../scripts/rpc-pages/page.ts";
import { readErrors, readExamples } from "../../scripts/rpc-pages/sources.ts";

describe("The page of an RPC", () => {
  test("needs its permission in the comment of the proto file, which generated code doesn't have", () => {
    expect(() => rpcPage(AuthorizationService.method.batchSetState, undefined, [])).toThrow(
      "BatchSetState needs a paragraph “Permission: …” in its comment",
    );
  });

  test("has its chapter of the examples, with links from one folder deeper, and the rules that it names", () => {
    const page =
      "# Examples\n\n## One\n\nRules: [lists](lists.md#a). See [two](#two), [up](../how-to/x.md).\n\n## Two\n\nText.\n";
    expect([...readExamples(page)]).toEqual([
      ["One", { rules: "[lists](../lists.md#a)", text: "See [two](../rpcs.md#two), [up](../../how-to/x.md)." }],
      ["Two", { rules: undefined, text: "Text." }],
    ]);
  });

  test("has the rows of the errors", () => {
    const [row] = readErrors("| `A_B` | See [it](feed.md#end). | `One`, `Two` | `aborted`, 409 | |");
    expect(row).toEqual({
      reason: "A_B",
      rpcs: "`One`, `Two`",
      cells: ["`A_B`", "See [it](../feed.md#end).", "`aborted`, 409", ""],
    });
  });

  test("has tables without empty columns, and links instead of paths", () => {
    expect(tableOf(["a", "b"], [["1", ""]])).toBe("| a |\n| --- |\n| 1 |");
    expect(withLinks("See docs/reference/look-ups.md.")).toBe("See [look ups](../look-ups.md).");
  });
});
