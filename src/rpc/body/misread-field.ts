import { type DescMessage, fromJson, type JsonValue } from "@bufbuild/protobuf";

/**
 * The first field of a JSON text that cannot be read as a message, as the client wrote it: `filters[2].state.state`.
 * Empty when the text is no JSON, or no single field is to blame.
 */
export function misreadField(message: DescMessage, text: string): string {
  try {
    return misreadIn(message, JSON.parse(text), "", mostLevels);
  } catch {
    return "";
  }
}

/** As many as the library reads. Each level is read anew, so that hundreds of thousands would take hours. */
const mostLevels = 100;

function misreadIn(message: DescMessage, json: JsonValue | undefined, path: string, levels: number): string {
  // Well-known types such as Timestamp are not written as objects.
  if (levels === 0 || !isObject(json) || message.typeName.startsWith("google.protobuf.")) return path;
  for (const [key, value] of Object.entries(json)) {
    const here = path === "" ? key : `${path}.${key}`;
    const field = message.fields.find(({ name, jsonName }) => name === key || jsonName === key);
    if (field === undefined) return here;
    if (canBeRead(message, { [key]: value })) continue;
    if (field.fieldKind === "message") return misreadIn(field.message, value, here, levels - 1);
    if (field.fieldKind !== "list" || !Array.isArray(value)) return here;
    const index = value.findIndex((item) => !canBeRead(message, { [key]: [item] }));
    const there = `${here}[${index}]`;
    return field.listKind === "message" ? misreadIn(field.message, value[index], there, levels - 1) : there;
  }
  return path;
}

function isObject(json: JsonValue | undefined): json is Record<string, JsonValue> {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function canBeRead(message: DescMessage, json: JsonValue): boolean {
  try {
    fromJson(message, json);
    return true;
  } catch {
    return false;
  }
}
