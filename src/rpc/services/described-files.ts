import { create, type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

/** The proto files of some services, and what each of them declares. */
export type DescribedFiles = {
  /** The names of the services, sorted. */
  readonly services: readonly string[];
  /** A file, and the files it needs that are not in `without` yet. Adds them all to `without`. */
  withNeeded(name: string, without: Set<string>): Uint8Array[];
  has(name: string): boolean;
  /** The name of the file that declares a symbol. */
  declaring(symbol: string): string | undefined;
  /** The file of each extension of a message, by number. Undefined if there is no such message. */
  extensionsOf(message: string): ReadonlyMap<number, string> | undefined;
};

type File = { readonly bytes: Uint8Array; readonly needs: readonly string[] };

/**
 * @param aliases further names, each with the service that it stands for
 * @param others files with messages that no RPC names, such as the details of errors
 */
export function describeFiles(
  services: readonly DescService[],
  aliases: ReadonlyMap<string, DescService>,
  others: readonly DescFile[],
): DescribedFiles {
  const files = new Map<string, File>();
  const declaring = new Map<string, string>();
  const extensions = new Map<string, Map<number, string>>();

  function add(proto: FileDescriptorProto, symbols: Iterable<string>): void {
    files.set(proto.name, { bytes: toBinary(FileDescriptorProtoSchema, proto), needs: proto.dependency });
    for (const symbol of symbols) declaring.set(symbol, proto.name);
  }

  function addWithNeeded(file: DescFile): void {
    if (files.has(file.proto.name)) return;
    add(file.proto, symbolsOf(file));
    for (const type of nestedTypes(file)) {
      if (type.kind === "message") extensions.set(type.typeName, extensions.get(type.typeName) ?? new Map());
      if (type.kind !== "extension") continue;
      const ofMessage = extensions.get(type.extendee.typeName) ?? new Map();
      extensions.set(type.extendee.typeName, ofMessage.set(type.number, file.proto.name));
    }
    file.dependencies.forEach(addWithNeeded);
  }

  for (const file of [...services.map((service) => service.file), ...others]) addWithNeeded(file);
  for (const [alias, service] of aliases)
    add(aliasFile(alias, service), [alias, ...service.methods.map(({ name }) => `${alias}.${name}`)]);

  return {
    services: [...services.map(({ typeName }) => typeName), ...aliases.keys()].toSorted(),
    has: (name) => files.has(name),
    withNeeded(name, without) {
      const found: Uint8Array[] = [];
      const queue = [name];
      // The file itself is sent again, as gRPC's own servers do it.
      without.delete(name);
      for (const next of queue) {
        const file = files.get(next);
        if (file === undefined || without.has(next)) continue;
        without.add(next);
        found.push(file.bytes);
        queue.push(...file.needs);
      }
      return found;
    },
    declaring: (symbol) => declaring.get(symbol),
    extensionsOf: (message) => extensions.get(message),
  };
}

/** A file that declares a service under another name, with the same messages. */
function aliasFile(alias: string, service: DescService): FileDescriptorProto {
  const point = alias.lastIndexOf(".");
  const messages = service.methods.flatMap(({ input, output }) => [input, output]);
  return create(FileDescriptorProtoSchema, {
    name: `service-alias/${alias}.proto`,
    syntax: "proto3",
    package: alias.slice(0, Math.max(point, 0)),
    dependency: [...new Set(messages.map(({ file }) => file.proto.name))],
    service: [{ name: alias.slice(point + 1), method: service.proto.method }],
  });
}

/** The full names of everything in a file: also of fields, enum values and methods, which can be asked for as well. */
function* symbolsOf(file: DescFile): Generator<string> {
  for (const type of nestedTypes(file)) {
    yield type.typeName;
    switch (type.kind) {
      case "message":
        for (const { name } of [...type.fields, ...type.oneofs]) yield `${type.typeName}.${name}`;
        break;
      case "enum": {
        // Values belong to the scope of their enum.
        const scope = type.typeName.slice(0, type.typeName.lastIndexOf(".") + 1);
        for (const { name } of type.values) yield scope + name;
        break;
      }
      case "service":
        for (const { name } of type.methods) yield `${type.typeName}.${name}`;
        break;
    }
  }
}
