// Writes buf/validate/validate.proto into a buf module of its own. The protovalidate package contains the descriptor of
// that file but not its text, and buf needs the text to compile the imports without a network. Git ignores the folder,
// so the copy can't fall behind the package that validates at run time.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  createRegistry,
  type DescEnum,
  type DescFile,
  type DescMessage,
  type JsonValue,
  toJson,
} from "@bufbuild/protobuf";
import {
  type FieldDescriptorProto,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldOptionsSchema,
  FileOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import { file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";

if (import.meta.main) {
  const path = join(import.meta.dirname, "../.cache/protovalidate", file_buf_validate_validate.proto.name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, printProto2(file_buf_validate_validate));
}

/**
 * The source of a proto2 file, without its comments. It supports only what validate.proto uses. The test compiles the
 * text and compares the descriptors, so it notices a newer protovalidate that uses more.
 */
export function printProto2(file: DescFile): string {
  const registry = createRegistry(file);
  const fileOptions = file.proto.options && toJson(FileOptionsSchema, file.proto.options, { useProtoFieldName: true });
  return [
    'syntax = "proto2";',
    `package ${file.proto.package};`,
    ...file.proto.dependency.map((path) => `import "${path}";`),
    ...Object.entries(fileOptions ?? {}).map(([name, value]) => `option ${name} = ${printValue(value)};`),
    ...file.extensions.map(({ proto }) => block(`extend ${proto.extendee}`, [printField(proto)])),
    ...file.enums.map(printEnum),
    ...file.messages.map(printMessage),
    "",
  ].join("\n");

  function printMessage({ name, members, proto }: DescMessage): string {
    return block(`message ${name}`, [
      ...members.map((member) =>
        member.kind === "oneof"
          ? block(
              `oneof ${member.name}`,
              member.fields.map((field) => printField(field.proto, "")),
            )
          : printField(member.proto),
      ),
      // The ends of both kinds of ranges are exclusive, unlike those of an enum's reserved ranges.
      ...proto.extensionRange.map(({ start, end }) => `extensions ${start} to ${end - 1};`),
      ...proto.reservedRange.map(({ start, end }) => `reserved ${start} to ${end - 1};`),
      ...proto.reservedName.map((reserved) => `reserved "${reserved}";`),
    ]);
  }

  function printField(field: FieldDescriptorProto, label = `${FieldDescriptorProto_Label[field.label]} `): string {
    const type = field.typeName || FieldDescriptorProto_Type[field.type]?.toLowerCase();
    const options = field.options && toJson(FieldOptionsSchema, field.options, { registry, useProtoFieldName: true });
    // JSON has brackets around the name of an extension, but the proto language has parentheses.
    const printed = Object.entries(options ?? {}).map(
      ([name, value]) => `${name.replace("[", "(").replace("]", ")")} = ${printValue(value)}`,
    );
    return `${label.toLowerCase()}${type} ${field.name} = ${field.number}${printed.length ? ` [${printed}]` : ""};`;
  }
}

function printEnum({ name, values, proto }: DescEnum): string {
  return block(`enum ${name}`, [
    ...values.map((value) => `${value.name} = ${value.number};`),
    ...proto.reservedRange.map(({ start, end }) => `reserved ${start} to ${end};`),
    ...proto.reservedName.map((reserved) => `reserved "${reserved}";`),
  ]);
}

function printValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${name}: ${printValue(inner)}`)
    .join(", ")} }`;
}

function block(head: string, lines: string[]): string {
  return [`${head} {`, ...lines, "}"].join("\n");
}
