import { type DescField, ScalarType } from "@bufbuild/protobuf";

export type JsonSchema = { readonly [keyword: string]: unknown };

/** The type in JSON: 64-bit numbers are strings, which requests may also send as numbers. */
export function scalarSchema({ scalar, name }: DescField, sent: boolean): JsonSchema {
  switch (scalar) {
    case ScalarType.STRING:
      return { type: "string" };
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.UINT32:
      return { type: "integer", minimum: 0, maximum: 4_294_967_295 };
    case ScalarType.UINT64:
      return sent
        ? { type: ["integer", "string"], minimum: 0, pattern: "^\\d+$" }
        : { type: "string", pattern: "^\\d+$" };
    default:
      throw new Error(`The field ${name} has a type that no message had so far: say here how JSON has it.`);
  }
}
