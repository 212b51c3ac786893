import { type AuthorizationsSearchFilter, State, TextFilterMethod } from "@authorization-service/client";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { longestText } from "../pickers/found.ts";
import { contentOf } from "./content.ts";
import { countOf, within } from "./count.ts";
import { isGroup, type Kind, mostDepth, mostFilters } from "./kinds.ts";
import type { Range } from "./moments.ts";

/** docs/reference/lists-and-filters.md. */
const mostOfList = 1000;

/** The depth of a filter: 1 if it has no nested ones. */
export function depthOf(filter: AuthorizationsSearchFilter): number {
  return 1 + Math.max(0, ...within(filter).map(depthOf));
}

/**
 * The problems of a filter and its nested ones, if any: what the service would refuse, and what is not filled in yet.
 * `room` is the maximum number of filters, including nested ones.
 */
export function problemOfAll(filter: AuthorizationsSearchFilter, room: number): string | undefined {
  if (depthOf(filter) > mostDepth)
    return "Groups hold filters and groups of filters, but these hold no further groups.";
  const surplus = countOf([filter]) - room;
  if (surplus > 0) return `There can be ${mostFilters} filters at most in all: remove ${surplus}.`;
  return hasProblem(filter) ? "Something is missing or cannot be: see above." : undefined;
}

function hasProblem(filter: AuthorizationsSearchFilter): boolean {
  return problemOf(filter) !== undefined || within(filter).some(hasProblem);
}

/**
 * The problems of the filter itself, without nested ones: what the service would refuse, and what is not filled in yet.
 */
export function problemOf(filter: AuthorizationsSearchFilter): string | undefined {
  const content = contentOf(filter);
  switch (content?.shape) {
    case undefined:
      return "Choose what to filter by.";
    case "text":
      return problemOfText(content.text, content.method);
    case "id":
      return content.id === "" ? `Pick ${withArticle[content.of]}.` : problemOfLength(content.id);
    case "grant":
      return problemOfLength(content.id);
    case "list":
      return problemOfList(content.list);
    case "state":
      return content.state === State.ACTIVE || content.state === State.INACTIVE ? undefined : "Pick a state.";
    case "range":
      return problemOfRange(content.range);
    case "several":
      return problemOfGroup(content.filters.length);
    case "not":
      return undefined;
  }
}

const withArticle = { user: "a user", project: "a project", organization: "an organization" } as const;

const methods: readonly TextFilterMethod[] = Object.values(TextFilterMethod);

function problemOfText(text: string, method: TextFilterMethod): string | undefined {
  if (text === "") return "Type what to look for.";
  if (!methods.includes(method)) return "Pick how it is compared.";
  return problemOfLength(text);
}

function problemOfList(list: readonly string[]): string | undefined {
  if (list.length === 0) return "Give at least one.";
  if (list.length > mostOfList) return `Give at most ${mostOfList}; these are ${list.length}.`;
  const seen = new Set<string>();
  for (const one of list) {
    if (one === "") return "One of them is empty.";
    if (seen.has(one)) return `“${shortened(one)}” is there twice.`;
    seen.add(one);
    const problem = problemOfLength(one);
    if (problem !== undefined) return `“${shortened(one)}”: ${problem}`;
  }
  return undefined;
}

function problemOfLength(text: string): string | undefined {
  const length = [...text].length;
  if (length > longestText) return `Use at most ${longestText} characters; these are ${length}.`;
  return text.isWellFormed() && !text.includes("\0") ? undefined : "It has a character that no name can have.";
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length > 30 ? `${characters.slice(0, 30).join("")}…` : text;
}

function problemOfRange({ from, to }: Range): string | undefined {
  if (from === undefined && to === undefined) return "Give a beginning, an end or both.";
  if ([from, to].some((end) => end !== undefined && !isInCalendar(end))) return "Give years from 1 to 9999.";
  return from !== undefined && to !== undefined && isAfter(from, to) ? "The beginning is after the end." : undefined;
}

function isInCalendar(moment: Timestamp): boolean {
  const year = timestampDate(moment).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

function isAfter(one: Timestamp, other: Timestamp): boolean {
  return one.seconds > other.seconds || (one.seconds === other.seconds && one.nanos > other.nanos);
}

function problemOfGroup(length: number): string | undefined {
  if (length === 0) return "Add at least one filter.";
  return length > mostFilters ? `There can be ${mostFilters} filters at most; these are ${length}.` : undefined;
}

/** Whether a filter of the kind is allowed at a depth. Groups need one more level for their filters. */
export function mayStandAt(depth: number, kind: Kind): boolean {
  return depth < mostDepth || !isGroup(kind);
}
