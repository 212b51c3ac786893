// Builds the Go module and the Python package in a folder, from the protos and from client/go and client/python. Needs on the
// PATH what docs/how-to/call-from-go.md and call-from-python.md install.
//
//   npm run build:clients -- --folder clients
//
// What is generated is not committed: it is large, and only who publishes it needs Go and Python.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorSetSchema,
  FileOptionsSchema,
} from "@bufbuild/protobuf/wkt";

const root = join(import.meta.dirname, "..");
const { folder } = parseArgs({ options: { folder: { type: "string", default: ".cache/clients" } } }).values;
const out = resolve(folder);
const [go, python] = [join(out, "go"), join(out, "python")];
const { goModule } = JSON.parse(readFileSync(join(root, "deploy/placeholders.json"), "utf8"));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const language of ["go", "python"]) {
  cpSync(join(root, "client", language), join(out, language), { recursive: true });
  cpSync(join(root, "LICENSE"), join(out, language, "LICENSE"));
}
const image = join(out, "image.binpb");
run("node", "scripts/print-validate-proto.ts");
run("buf", "build", "proto", "--as-file-descriptor-set", "-o", image);
const { file: files } = fromBinary(FileDescriptorSetSchema, readFileSync(image));
const ours = files.filter(({ name }) => name.startsWith("service/"));
for (const file of ours) {
  rename(file);
  withoutRules(file);
}
writeFileSync(image, toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: files })));
const names = ours.map(({ name }) => name);
const plugins = ["go", "connect-go"].map((name) => ({
  local: `protoc-gen-${name}`,
  out: go,
  opt: `module=${goModule}`,
}));
const template = JSON.stringify({ version: "v2", plugins });
run("buf", "generate", image, "--template", template, ...names.flatMap((name) => ["--path", name]));
const outs = ["python_out", "pyi_out", "grpc_python_out"].map((kind) => `--${kind}=${python}`);
run("python", "-m", "grpc_tools.protoc", `--descriptor_set_in=${image}`, ...outs, ...names);
writeFileSync(join(python, "authorization_service/py.typed"), "");
run("python", "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", out, python);
run("go", "-C", go, "mod", "tidy");
run("go", "-C", go, "vet", "./...");
rmSync(image);

/** Python's packages are named after the files, and `service` would be everyone's. Messages keep their names. */
function rename(file: FileDescriptorProto): void {
  const renamed = (name: string) => name.replace(/^service\//, "authorization_service/");
  const [, subject, version] = file.name.split("/");
  file.options ??= create(FileOptionsSchema);
  file.options.goPackage = `${goModule}/${subject}/${version};${subject}${version}`;
  file.name = renamed(file.name);
  file.dependency = file.dependency.map(renamed);
}

/** Callers need no validation rules. They are extensions of options, which are unknown here, and there are no others. */
function withoutRules(file: FileDescriptorProto): void {
  file.dependency = file.dependency.filter((name) => name !== "buf/validate/validate.proto");
  const clear = (of: { options?: { $unknown?: unknown } | undefined }) => delete of.options?.$unknown;
  const clearAll = (message: DescriptorProto) => {
    [message, ...message.field, ...message.oneofDecl].forEach(clear);
    message.nestedType.forEach(clearAll);
  };
  file.messageType.forEach(clearAll);
}

function run(command: string, ...args: string[]): void {
  execFileSync(command, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });
}
