import type { DescEnum, DescField, DescMessage, DescMethod, DescService } from "@bufbuild/protobuf";
import { getOption, hasOption } from "@bufbuild/protobuf";
import { getComments } from "@bufbuild/protoplugin";
import { message as messageRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

/** The comment in the proto file, as Markdown; undefined if there is none. */
export function descriptionOf(desc: DescEnum | DescField | DescMessage | DescMethod | DescService): string | undefined {
  const own = [commentOf(desc)];
  if (desc.kind === "enum") own.push(desc.values.flatMap(describeValue).join("\n"));
  if (desc.kind === "message") own.push(...rulesOf(desc));
  const text = own.map(asParagraphs).filter(Boolean).join("\n\n");
  return text === "" ? undefined : text;
}

function describeValue(value: DescEnum["values"][number]): string[] {
  const comment = commentOf(value).replaceAll(/\s+/g, " ").trim();
  return comment === "" ? [] : [`- \`${value.name}\`: ${comment}`];
}

/** The comment without the lines for the linter. */
function commentOf(desc: Parameters<typeof getComments>[0]): string {
  return (getComments(desc).leading ?? "").replaceAll(/^ ?buf:lint:.*\n?/gm, "");
}

/** Rules about several fields, which are written in CEL, because JSON Schema can't express them. */
function rulesOf(desc: DescMessage): string[] {
  if (!hasOption(desc, messageRules)) return [];
  return getOption(desc, messageRules).cel.map(({ message }) => `Rule: ${message}.`);
}

/** Joins the lines of a comment, and turns the names of the proto file into those of JSON. */
function asParagraphs(comment: string): string {
  return comment
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\n(?!- )\s*/g, " ").trim())
    .join("\n\n")
    .replaceAll(/\b[a-z]+(_[a-z]+)+\b/g, (name) => name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase()));
}
