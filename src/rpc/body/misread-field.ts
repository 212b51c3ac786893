import { type DescMessage, fromJson, type JsonValue } from "@bufbuild/protobuf";

/**
 * The path of the first field in a JSON text that can't be read as a message, in the client's spelling, such as
 * `filters[2].state.state`. Empty if the text is not JSON, or no single field is wrong.
 */
export function misreadField(message: DescMessage, text: string): string {
  try {
    return misreadIn(message, JSON.parse(text), "", mostLevels);
  } catch {
    return "";
  }
}

/** The number of levels that the library reads. Each level is read again, so hundreds of thousands would take hours. */
const mostLevels = 100;

function misreadIn(message: DescMessage, json: JsonValue | undefined, path: string, levels: number): string {
  // Well-known types such as Timestamp are not written as JSON objects.
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
