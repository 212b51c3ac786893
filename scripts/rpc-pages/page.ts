import type { DescMethod, DescService } from "@bufbuild/protobuf";
import { requirementOf } from "../../src/rpc/requirements.ts";
import { descriptionOf } from "../openapi/descriptions.ts";
import { tableOf, withLinks } from "./markdown.ts";
import { messageTables } from "./messages.ts";
import type { ErrorRow, Example } from "./sources.ts";

/** The page that lists all pages, by service. */
export function rpcIndex(services: readonly DescService[]): string {
  const link = (method: DescMethod) => `[${method.name}](${fileOf(method)})`;
  return [
    "# RPCs",
    "<!-- Written by npm run generate, from proto/. -->",
    "Each with its fields, permission, errors, and an example. [API examples](../rpcs.md) calls them all in the demo world.",
    services.map(({ name, methods }) => `- \`${name}\`: ${methods.map(link).join(", ")}`).join("\n"),
  ].join("\n\n");
}

export function fileOf({ name }: DescMethod): string {
  return `${name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "-").toLowerCase()}.md`;
}

/** The page of an RPC. Fails if its comment says nothing of permissions, or names a reason that errors.md doesn't have. */
export function rpcPage(method: DescMethod, example: Example | undefined, errors: readonly ErrorRow[]): string {
  const paragraphs = (descriptionOf(method) ?? "").split("\n\n").map(withLinks);
  const [permission] = paragraphs.flatMap((text) => /^Permission: (.*)$/.exec(text)?.slice(1) ?? []);
  if (permission === undefined) throw new Error(`${method.name} needs a paragraph “Permission: …” in its comment`);
  if (example === undefined && method.methodKind === "unary")
    throw new Error(`rpcs.md has no example of ${method.name}`);
  const described = new Set<string>();
  return `${[
    `# ${method.name}`,
    "<!-- Written by npm run generate, from proto/, rpcs.md and errors.md. -->",
    ...paragraphs.filter((text) => !/^(Permission|Errors[^:]*): /.test(text)),
    [
      `- **Path:** \`/${method.parent.typeName}/${method.name}\``,
      ...(method.methodKind === "unary" ? [] : ["- **Kind:** server stream"]),
      `- **Permission:** ${permission}`,
      `- **Largest body:** [${requirementOf(method).mostBytes / 1_024} KiB](../limits.md#body-sizes)`,
      ...(example?.rules ? [`- **Rules:** ${example.rules}`] : []),
    ].join("\n"),
    ...(example ? ["## Example", tokens, example.text] : []),
    "## Request",
    ...messageTables(method.input, described),
    "## Response",
    ...messageTables(method.output, described),
    "## Errors",
    ...errorTable(method, paragraphs, errors),
  ].join("\n\n")}`;
}

const tokens =
  "`$CAROL`, `$ANN`, and `$BOB` are [tokens of the demo world](../rpcs.md). Examples on that page build on each other.";

function errorTable({ name, input }: DescMethod, paragraphs: readonly string[], errors: readonly ErrorRow[]): string[] {
  const general =
    "Any call can also fail for [general reasons](../errors.md), such as missing credentials or an overloaded server.";
  const [own = ""] = paragraphs.filter((text) => text.startsWith("Errors"));
  const [, condition, list = ""] = /^Errors(?:, (.*?))?: (.*)\.$/.exec(own) ?? [];
  const reasons = [...list.split(", ").filter(Boolean), ...(input.field.reason ? ["REASON_REQUIRED"] : [])];
  const rows = reasons.flatMap((reason) => {
    const found = errors.filter((row) => row.reason === reason && isAbout(row.rpcs, name));
    if (found.length === 0) throw new Error(`errors.md has no row for ${reason} of ${name}`);
    return found;
  });
  if (rows.length === 0) return [general];
  const onlyWith = condition && `Without \`atomic\`, each item has its own error instead.`;
  return [
    ...(onlyWith ? [onlyWith] : []),
    tableOf(
      ["Reason", "When", "Code and HTTP status", "Metadata"],
      rows.map(({ cells }) => cells),
    ),
    general,
  ];
}

/** A row without names of RPCs is about every RPC with the reason. A batch fails like its items. */
function isAbout(rpcs: string, name: string): boolean {
  if (rpcs === "lists") return name.startsWith("List");
  const named = [...rpcs.matchAll(/`(\w+)`/g)].map(([, rpc]) => rpc);
  const single = name === "BatchSetState" ? "ActivateAuthorization" : name.replace(/^Batch(\w+)s$/, "$1");
  return named.length === 0 || named.includes(single);
}
