import { create, type DescFile, type DescService, toBinary } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { type FileDescriptorProto, FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

export type DescribedFiles = ReturnType<typeof describeFiles>;

/**
 * The proto files of some services, and what each of them declares.
 *
 * @param aliases further names, each with the service that it stands for
 * @param others files with messages that no RPC names, such as the details of errors
 */
export function describeFiles(
  services: readonly DescService[],
  aliases: ReadonlyMap<string, DescService>,
  others: readonly DescFile[],
) {
  const files = new Map<string, { readonly bytes: Uint8Array; readonly needs: readonly string[] }>();
  const declaring = new Map<string, string>();

  function add(proto: FileDescriptorProto, symbols: Iterable<string>): void {
    files.set(proto.name, { bytes: toBinary(FileDescriptorProtoSchema, proto), needs: proto.dependency });
    for (const symbol of symbols) declaring.set(symbol, proto.name);
  }

  function addWithNeeded(file: DescFile): void {
    if (files.has(file.proto.name)) return;
    const symbols = [...nestedTypes(file)].flatMap((type) =>
      type.kind === "service" ? symbolsOf(type.typeName, type) : [type.typeName],
    );
    add(file.proto, symbols);
    file.dependencies.forEach(addWithNeeded);
  }

  for (const file of [...services.map((service) => service.file), ...others]) addWithNeeded(file);
  for (const [alias, service] of aliases) add(aliasFile(alias, service), symbolsOf(alias, service));

  return {
    /** The names of the services, sorted. */
    services: [...services.map(({ typeName }) => typeName), ...aliases.keys()].toSorted(),

    /** A file, and the files it needs that are not in `without` yet. Adds them all to `without`. Empty if there is no such file. */
    withNeeded(name: string, without: Set<string>): Uint8Array[] {
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

    /** The name of the file that declares a service, a method or a type. */
    declaring: (symbol: string) => declaring.get(symbol),
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

function symbolsOf(name: string, { methods }: DescService): string[] {
  return [name, ...methods.map((method) => `${name}.${method.name}`)];
}
