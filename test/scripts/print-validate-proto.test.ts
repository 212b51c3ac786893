import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRegistry, fromBinary, toJson } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { file_buf_validate_validate } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { expect, test } from "vitest";
import { printProto2 } from "../../scripts/print-validate-proto.ts";

test("the printed validate.proto compiles to the descriptor it was printed from", () => {
  const printed = compile(file_buf_validate_validate.proto.name, printProto2(file_buf_validate_validate));
  expect(comparable(printed)).toEqual(comparable(file_buf_validate_validate.proto));
});

function compile(path: string, source: string): FileDescriptorProto {
  const folder = mkdtempSync(join(tmpdir(), "validate-proto-"));
  try {
    writeFileSync(join(folder, "validate.proto"), source);
    const buf = join(import.meta.dirname, "../../node_modules/.bin/buf");
    const image = execFileSync(buf, ["build", join(folder, "validate.proto"), "--exclude-source-info", "-o", "-"]);
    const files = fromBinary(FileDescriptorSetSchema, image).file;
    const compiled = files.find((file) => file.package === file_buf_validate_validate.proto.package);
    if (!compiled) throw new Error("The image lacks the file that was compiled");
    return { ...compiled, name: path };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// As JSON, because the options are extensions whose encoding may differ in the order of its fields.
function comparable(file: FileDescriptorProto): unknown {
  return toJson(FileDescriptorProtoSchema, file, { registry: createRegistry(file_buf_validate_validate) });
}
