import { type DescField, type DescMessage, fromJson, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import { mostItems } from "../../src/rpc/interceptors/too-long-lists.ts";

/** A body built to cost the server as much as its bytes can. */
export type Body = {
  readonly shape: string;
  readonly contentType: "application/json" | "application/proto";
  readonly bytes: Buffer;
};

/** The bodies worth trying against an RPC, none of them longer than `most` bytes. Each is made when it is asked for. */
export function worstBodies(input: DescMessage, most: number): (() => Body)[] {
  return [
    ...listPaths(input).flatMap((path) => listBodies(input, path, most)),
    ...input.fields.flatMap((field) => repeatedFields(field, most)),
    ...anyBodies(most),
  ];
}

/** What can be sent to every RPC. */
function anyBodies(most: number): (() => Body)[] {
  return [
    () => binary("unknown fields", fill([0xf8, 0x7f, 0], most)),
    () => binary("groups in groups", fill([0xfb, 0x7f], most)),
    () => json("unknown fields of one name", again("{", `"a":0,`, `"a":0}`, most)),
    () => json("unknown fields of many names", manyNames(most)),
    () => json("arrays in arrays", again("", "[", "", most)),
    () => json("objects in objects", again("", `{"a":`, "0", most)),
    () => json("numbers", again("[", "0,", "0]", most)),
    () => json("a number of many digits", again(`{"pagination":{"offset":`, "9", "}}", most)),
    () => json("a text of many digits", again(`{"pagination":{"offset":"`, "9", `"}}`, most)),
    () => json("one text", again(`{"a":"`, "x", `"}`, most)),
    () => json("one text of escapes", again(`{"a":"`, "\\u20ac", `"}`, most)),
    () => json("space", again("{", " ", "}", most)),
    () => json("filters in filters", again(`{"filters":[`, `{"not":`, "{", most)),
  ];
}

function binary(shape: string, bytes: Uint8Array): Body {
  return { shape, contentType: "application/proto", bytes: Buffer.from(bytes) };
}

function json(shape: string, text: string): Body {
  return { shape, contentType: "application/json", bytes: Buffer.from(text) };
}

/** Every list of a request, as the fields that lead to it. Filters nest without end: once shows what there is. */
function listPaths(message: DescMessage, before: readonly DescField[] = []): (readonly DescField[])[] {
  return message.fields.flatMap((field) => {
    const path = [...before, field];
    const here = field.fieldKind === "list" ? [path] : [];
    const { message: inner } = field;
    if (inner === undefined || before.some((each) => each.message === inner)) return here;
    return [...here, ...listPaths(inner, path)];
  });
}

function listBodies(input: DescMessage, path: readonly DescField[], most: number): (() => Body)[] {
  const where = path.map(({ jsonName }) => jsonName).join(".");
  const different = () => fullLists(path, most, (count) => count.toString(36));
  const empty = () => fullLists(path, most, () => "");
  const toBytes = (value: JsonValue) => toBinary(input, fromJson(input, value));
  return [
    () => binary(`${where}: empty items`, emptyItems(path, most)),
    () => json(`${where}: empty items`, emptyItemsJson(path, most)),
    () => json(`${where}: as many as allowed`, JSON.stringify(different())),
    () => json(`${where}: as many as allowed, all empty`, JSON.stringify(empty())),
    () =>
      json(
        `${where}: as many as allowed, the last one wrong`,
        JSON.stringify(different()).replace(/.([\]}]*)$/, "[$1"),
      ),
    () => binary(`${where}: as many as allowed`, toBytes(different())),
    () => binary(`${where}: as many as allowed, all empty`, toBytes(empty())),
  ];
}

/** As many empty items as fit into the last list of the path, in one item of each list before it. */
function emptyItems(path: readonly DescField[], most: number): Buffer {
  const [last, ...outer] = path.toReversed() as [DescField, ...DescField[]];
  const items = fill([...tagOf(last, WireType.LengthDelimited), 0], most - 10 * path.length);
  return outer.reduce(
    (bytes, field) =>
      Buffer.concat([Buffer.from([...tagOf(field, WireType.LengthDelimited), ...varint(bytes.length)]), bytes]),
    items,
  );
}

function emptyItemsJson(path: readonly DescField[], most: number): string {
  const last = path.at(-1);
  const item = last?.fieldKind === "list" && last.listKind === "message" ? "{}" : `""`;
  const [open, close] = [path, path.toReversed()].map((fields, isClose) =>
    fields
      .map((field) => (field.fieldKind === "list" ? ["[", "]}"] : ["", "}"])[isClose])
      .map((bracket, index) => (isClose ? bracket : `{"${fields[index]?.jsonName}":${bracket}`))
      .join(""),
  );
  return again(open ?? "", `${item},`, `${item}${close}`, most);
}

/** Fewer ids than all filters of a request may have together, so the request is not refused for that alone. */
const mostInFilters = 9_900;

/** Every list of the path as long as its rules allow, until the bytes of a request, or the ids of filters, are used up. */
function fullLists(path: readonly DescField[], most: number, text: (count: number) => string): JsonValue {
  let left = most - 100;
  let elements = 0;
  const mostElements = path[0]?.name === "filters" ? mostInFilters : Number.POSITIVE_INFINITY;
  const isRoom = () => left > 0 && elements < mostElements;
  function build([field, ...rest]: readonly DescField[], index: number): JsonValue {
    if (field === undefined) {
      const written = text(index);
      left -= written.length + 3;
      return written;
    }
    left -= field.jsonName.length + 8;
    if (field.fieldKind !== "list") return { [field.jsonName]: build(rest, index) };
    const items: JsonValue[] = [];
    const isText = field.listKind === "scalar";
    while (items.length < mostItems(field) && isRoom()) {
      if (isText) elements += 1;
      items.push(rest.length === 0 && !isText ? {} : build(rest, items.length));
    }
    return { [field.jsonName]: items };
  }
  return build(path, 0);
}

/** A field that is no list, given again and again. */
function repeatedFields(field: DescField, most: number): (() => Body)[] {
  if (field.fieldKind === "list" || field.fieldKind === "map") return [];
  const isVarint = field.fieldKind === "enum" || (field.fieldKind === "scalar" && field.scalar !== 9);
  const record = [...tagOf(field, isVarint ? WireType.Varint : WireType.LengthDelimited), 0];
  const member = `"${field.jsonName}":null`;
  return [
    () => binary(`${field.jsonName} again and again`, fill(record, most)),
    () => json(`${field.jsonName} again and again`, again("{", `${member},`, `${member}}`, most)),
  ];
}

function manyNames(most: number): string {
  const members: string[] = [];
  for (let length = 2; length < most - 20; length += (members.at(-1)?.length ?? 0) + 1) {
    members.push(`"${members.length.toString(36)}":0`);
  }
  return `{${members.join(",")}}`;
}

function again(begin: string, text: string, end: string, most: number): string {
  return begin + text.repeat(Math.max(0, Math.floor((most - begin.length - end.length) / text.length))) + end;
}

function fill(record: readonly number[], most: number): Buffer {
  return Buffer.alloc(Math.max(0, most - (most % record.length)), Buffer.from(record));
}

function tagOf(field: DescField, wireType: WireType): number[] {
  return varint((field.number << 3) | wireType);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}
