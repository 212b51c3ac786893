import { setImmediate } from "node:timers/promises";
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { buildPath, type Path, type PathBuilder, reflect } from "@bufbuild/protobuf/reflect";
import { createValidator, Violation, violationsToProto } from "@bufbuild/protovalidate";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { filtersIn, type PlacedItem } from "./nested-filters.ts";
import { shortenList, shortenLists } from "./too-long-lists.ts";
import { unstorable } from "./unstorable.ts";
import { textOf } from "./violation-texts.ts";

const validator = createValidator();

/**
 * Refuses a request that breaks rules of its message, and reports all violations at once. Checking fifty filters of a
 * thousand ids takes a while, so small requests are answered in between.
 */
export const requireValidRequest: Interceptor = (next) => async (request) => {
  const { input } = request.method;
  if (request.stream) return next({ ...request, message: onlyValid(input, request.message) });
  await requireValidInTurns(input, request.message);
  return next(request);
};

/** The messages of a stream arrive after its interceptors have run. */
async function* onlyValid(schema: DescMessage, messages: AsyncIterable<Message>): AsyncGenerator<Message> {
  for await (const message of messages) {
    await requireValidInTurns(schema, message);
    yield message;
  }
}

async function requireValidInTurns(schema: DescMessage, message: Message): Promise<void> {
  let began = performance.now();
  for (const _ of validate(schema, message)) {
    if (performance.now() - began < longestTurn) continue;
    await setImmediate();
    began = performance.now();
  }
}

/** How long validation may block the event loop, in milliseconds. */
const longestTurn = 10;

/** The most violations in an answer, and the maximum length of its message. No one reads more. */
const mostViolations = 100;
const longestMessage = 18_000;

/** Throws `invalid_argument` with buf.validate.Violations. The message uses the names from JSON. */
export function requireValid(schema: DescMessage, message: Message): void {
  for (const _ of validate(schema, message));
}

/** Yields after each item. */
function* validate(schema: DescMessage, message: Message): Generator<void> {
  const found: Violation[] = [];
  for (const violation of violationsOf(schema, message)) {
    if (violation === undefined) yield;
    // Finding the rest could take a long time, and the answer would not contain it.
    else if (found.push(violation) > mostViolations) break;
  }
  if (found.length > 0) refuseViolations(found, { schema, message });
}

/**
 * Throws `invalid_argument` with the first hundred buf.validate.Violations.
 *
 * @param request what was sent; absent if it could not be decoded
 */
export function refuseViolations(
  violations: readonly Violation[],
  request?: { readonly schema: DescMessage; readonly message: Message },
): never {
  const named = violations.slice(0, mostViolations);
  const [value, desc] = violationsToProto(named);
  const described: string[] = [];
  let length = 0;
  for (const violation of named) {
    const text = describe(violation, request);
    length += text.length + 2;
    if (length > longestMessage) break;
    described.push(text);
  }
  if (violations.length > described.length) described.push("and more");
  throw new ConnectError(described.join("; "), Code.InvalidArgument, undefined, [{ desc, value }]);
}

/** Checks one item of the request after the other, and yields undefined after each of them. */
function* violationsOf(schema: DescMessage, message: Message): Generator<Violation | undefined> {
  const lists = schema.fields.filter((field) => field.fieldKind === "list" && field.listKind === "message");
  yield* brokenIn(schema, withoutItems(message, lists), buildPath(schema));
  // Looking at each item of these could take seconds.
  const tooLarge: DescField[] = [];
  for (const list of lists) {
    yield* shortenList(list, itemsOf(message, list), buildPath(schema).field(list));
    const nested = filtersIn(schema, list, message);
    if (nested?.areTooMany) tooLarge.push(list);
    else if (list.name === "filters" && textsIn(itemsOf(message, list)) > mostIds) {
      tooLarge.push(list);
      yield new Violation(`must have at most ${mostIds} ids in all`, "filters.max_ids", [list], [], false);
      continue;
    }
    const its = list.message as DescMessage;
    for (const { item, path } of nested?.filters ?? placedItems(schema, list, message)) {
      yield* brokenIn(its, item, path);
      yield* reasonOfItem(its, item, path);
      yield;
    }
    yield* nested?.violations ?? [];
  }
  yield* unstorable(reflect(schema, withoutItems(message, tooLarge)), buildPath(schema));
}

function* brokenIn(schema: DescMessage, message: Message, path: PathBuilder): Generator<Violation> {
  yield* shortenLists(schema, message, path);
  const result = validator.validate(schema, message);
  if (result.kind === "error") throw result.error;
  for (const { message: text, ruleId, field, rule, forKey } of result.violations ?? [])
    yield new Violation(text, ruleId, [...path.toPath(), ...field], rule, forKey);
}

/** The items of a list of messages, each with its path. */
function* placedItems(schema: DescMessage, list: DescField, message: Message): Generator<PlacedItem> {
  for (const [index, item] of itemsOf(message, list).entries())
    yield { item, path: buildPath(schema).field(list).list(index) };
}

/** Items of batches are requests of their own, but the whole batch has one reason. */
function* reasonOfItem({ field }: DescMessage, item: Message, path: PathBuilder): Generator<Violation> {
  if (field.reason === undefined || (item as Message & { reason: string }).reason === "") return;
  const message = "must be empty: give the reason of the whole batch";
  yield new Violation(message, "string.reason_of_batch", path.field(field.reason).toPath(), [], false);
}

/** The most ids in all filters of a request together (docs/reference/limits.md). */
const mostIds = 10_000;

/** How many items the lists of texts have, in whatever they nest. */
function textsIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value) && typeof value[0] === "string") return value.length;
  return Object.values(value).reduce<number>((sum, inner) => sum + textsIn(inner), 0);
}

/** The request without the items of its lists. */
function withoutItems(message: Message, lists: readonly DescField[]): Message {
  const empty = Object.fromEntries(lists.map(({ localName }) => [localName, []]));
  return Object.assign(Object.create(Object.getPrototypeOf(message)), message, empty);
}

function itemsOf(message: Message, { localName }: DescField): Message[] {
  return (message as unknown as Record<string, Message[]>)[localName] ?? [];
}

function describe(violation: Violation, request: Parameters<typeof textOf>[1]): string {
  const path = jsonPath(violation.field);
  const text = textOf(violation, request);
  return path === "" ? text : `${path}: ${text}`;
}

function jsonPath(path: Path): string {
  return path.reduce((text, step) => {
    if (step.kind === "list_sub") return `${text}[${step.index}]`;
    const name = step.kind === "field" ? step.jsonName : String("name" in step ? step.name : step.key);
    return text === "" ? name : `${text}.${name}`;
  }, "");
}
