import { type AuthorizationsSearchFilter, State, TextFilterMethod } from "@authorization-service/client";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { longestText } from "../pickers/found.ts";
import { filterWords } from "../words/filters.ts";
import { contentOf, countOf, groupOf, type Kind, mostFilters, within } from "./content.ts";
import type { Range } from "./moments.ts";

const words = filterWords.problems;

/** docs/reference/lists-and-filters.md. */
const mostDepth = 3;
const mostOfList = 1000;

/** The depth of a filter: 1 if it has no nested ones. */
export function depthOf(filter: AuthorizationsSearchFilter): number {
  return 1 + Math.max(0, ...within(filter).map(depthOf));
}

/** Whether a filter of the kind is allowed at a depth. Groups need one more level for their filters. */
export function mayStandAt(depth: number, kind: Kind): boolean {
  return depth < mostDepth || groupOf(kind) !== "groups";
}

/**
 * The problems of a filter and its nested ones, if any: what the service would refuse, and what is not filled in yet.
 * `room` is the maximum number of filters, including nested ones.
 */
export function problemOfAll(filter: AuthorizationsSearchFilter, room: number): string | undefined {
  if (depthOf(filter) > mostDepth) return words.depth;
  const surplus = countOf([filter]) - room;
  if (surplus > 0) return words.surplus(mostFilters, surplus);
  return hasProblem(filter) ? words.fix : undefined;
}

function hasProblem(filter: AuthorizationsSearchFilter): boolean {
  return problemOf(filter) !== undefined || within(filter).some(hasProblem);
}

/** The problems of the filter itself, without nested ones. */
export function problemOf(filter: AuthorizationsSearchFilter): string | undefined {
  const content = contentOf(filter);
  switch (content?.shape) {
    case undefined:
      return words.noKind;
    case "text":
      return problemOfText(content.value) ?? (methods.includes(content.method) ? undefined : words.noMethod);
    case "id":
      return content.value === "" ? words.pick[content.of] : problemOfText(content.value);
    case "grant":
      return content.value === "" ? undefined : problemOfText(content.value);
    case "list":
      return problemOfList(content.value);
    case "state":
      return content.value === State.ACTIVE || content.value === State.INACTIVE ? undefined : words.noState;
    case "range":
      return problemOfRange(content.value);
    case "several":
      return content.value.length === 0 ? words.emptyGroup : undefined;
    case "not":
      return undefined;
  }
}

const methods: readonly TextFilterMethod[] = Object.values(TextFilterMethod);

function problemOfText(text: string): string | undefined {
  if (text === "") return words.noText;
  const length = [...text].length;
  if (length > longestText) return words.tooLong(longestText, length);
  return text.isWellFormed() && !text.includes("\0") ? undefined : words.impossible;
}

function problemOfList(list: readonly string[]): string | undefined {
  if (list.length === 0) return words.noneInList;
  if (list.length > mostOfList) return words.longList(mostOfList, list.length);
  const wrong = list.find((one, place) => list.indexOf(one) < place || problemOfText(one) !== undefined);
  return wrong === undefined ? undefined : words.inOne(shortened(wrong), problemOfText(wrong) ?? words.twice);
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > 30 ? `${characters.slice(0, 30).join("")}…` : text;
}

export function problemOfRange({ from, to }: Range): string | undefined {
  if (from === undefined && to === undefined) return words.noRange;
  if ([from, to].some((end) => end !== undefined && !isInCalendar(end))) return words.years;
  return from && to && isAfter(from, to) ? words.backwards : undefined;
}

function isInCalendar(moment: Timestamp): boolean {
  const year = timestampDate(moment).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

function isAfter(one: Timestamp, other: Timestamp): boolean {
  return one.seconds > other.seconds || (one.seconds === other.seconds && one.nanos > other.nanos);
}
