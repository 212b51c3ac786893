import { fromBinary, fromJson, isMessage, type JsonValue, type Message, toJson } from "@bufbuild/protobuf";
import { type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { createValidator } from "@bufbuild/protovalidate";
import {
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
} from "../../gen/service/authorization/v2/authorization_pb.ts";
import type { ListRequest } from "../oracle/model/list.ts";
import { type ListAnswer, listModel } from "../support/list-model.ts";
import type { Call } from "./input.ts";
import { isReading } from "./requests.ts";
import { callers, lines, readers } from "./world.ts";

const validator = createValidator();
const model = listModel(lines);

/** What is wrong with a success: the request was none, or the rows are not those that it asked for. */
export function unexpectedRows(call: Call, answer: Message, isWorldAsMade: boolean): string | undefined {
  const { method, caller } = call;
  if (caller === undefined) return "a success without credentials";
  if (!isReading(method) && !isOfOwn(method) && readers.includes(caller) && !isOfRefusals(answer)) {
    return "a change by somebody without the right to it";
  }
  const request = readRequest(call);
  if (typeof request === "string") return `accepted, but ${request}`;
  if (!isWorldAsMade) return undefined;
  const sent = toJson(method.input, request, { alwaysEmitImplicit: true });
  const body = toJson(method.output, answer, { alwaysEmitImplicit: true });
  if (method.name === "ApplyChanges" && caller === "manager") return beyondItsOrganization(sent as ChangesRequest);
  if (method.name === "ListAuthorizations") {
    return unlikeTheModel(callers[caller], sent as ListRequest & Paged, body as ListAnswer);
  }
  if (method.name === "GetCaller") return unlike(callers[caller], (body as Explanation).user.id);
  return undefined;
}

type ChangesRequest = { changes: Record<string, any>[] };

/** What the owner of an organization may never change, whatever the directory is like. */
function beyondItsOrganization({ changes }: ChangesRequest): string | undefined {
  const isBeyond = changes.some(
    ({ organization, administrator, authorization, remove = {} }) =>
      authorization !== undefined ||
      remove.authorizationId !== undefined ||
      (administrator ?? remove.administrator)?.instance === true ||
      ![undefined, "acme"].includes(organization?.id ?? remove.organizationId),
  );
  return isBeyond ? "a change by an organization's owner beyond the organization" : undefined;
}

/** Everyone manages their own tokens, which change no list. */
function isOfOwn({ parent }: Call["method"]): boolean {
  return parent.typeName === "service.identity.v1.TokenService";
}

/** A batch of which nothing was done is a success too. */
function isOfRefusals(answer: Message): boolean {
  const { results } = answer as Message & { results?: { result: { case?: string } }[] };
  return results?.every(({ result }) => result.case === "error") ?? false;
}

/** The request, or why it has to be refused as invalid. */
export function readRequest(call: Call): Message | string {
  const { method } = call;
  const request = readAs(call);
  if (typeof request === "string") return `it cannot be read: ${request}`;
  const { kind } = validator.validate(method.input, request);
  if (kind !== "valid") return "it breaks a rule of its message";
  const { filters = [] } = request as { filters?: Message[] };
  const nested = nestedIn(
    filters.filter((filter) => isMessage(filter, AuthorizationsSearchFilterSchema)),
    1,
  );
  if (nested.length > 50) return "it has too many filters";
  if (nested.some(({ depth }) => depth > 3)) return "its filters nest too deep";
  if (nested.some(({ filter }) => validator.validate(AuthorizationsSearchFilterSchema, filter).kind !== "valid")) {
    return "a nested filter breaks a rule of its message";
  }
  return isStorable(request) ? request : "a text or a time in it cannot be kept";
}

type Filters = readonly AuthorizationsSearchFilter[];
type Nested = { readonly filter: AuthorizationsSearchFilter; readonly depth: number };

/** Every filter, at every depth. */
function nestedIn(filters: Filters, depth: number): Nested[] {
  return filters.flatMap((filter): Nested[] => {
    const { case: kind, value } = filter.filter ?? {};
    const within = kind === "not" ? [value] : kind === "anyOf" || kind === "allOf" ? value.filters : [];
    return [{ filter, depth }, ...nestedIn(within, depth + 1)];
  });
}

function readAs({ method, codec, plain }: Call): Message | string {
  try {
    if (codec === "proto") return fromBinary(method.input, plain);
    return fromJson(method.input, JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain)) as JsonValue);
  } catch (error) {
    return String(error);
  }
}

function isStorable(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  if (typeof value !== "object" || value === null) return true;
  if (isMessage(value, TimestampSchema)) return isPossible(value);
  return Object.values(value).every(isStorable);
}

/** In the years 1 to 9999. */
function isPossible({ seconds, nanos }: Timestamp): boolean {
  return seconds >= -62_135_596_800n && seconds < 253_402_300_800n && nanos >= 0 && nanos < 1_000_000_000;
}

type Paged = {
  pagination?: { pageToken?: string; skipTotal?: boolean; limit?: number; offset?: string; asc?: boolean };
};

function unlikeTheModel(callerId: string, request: ListRequest & Paged, answer: ListAnswer): string | undefined {
  // A position within a list is for tests of their own.
  if (request.pagination?.pageToken) return undefined;
  const expected = model.list(callerId, request);
  const difference = unlike(idsIn(expected.authorizations), idsIn(answer.authorizations));
  if (difference !== undefined) return difference;
  return request.pagination?.skipTotal
    ? undefined
    : unlike(expected.pagination.totalResult, answer.pagination.totalResult);
}

type Explanation = { user: { id: string } };

const idsIn = (rows: readonly Record<string, unknown>[]) => rows.map(({ id }) => id);

function unlike(expected: unknown, found: unknown): string | undefined {
  const [left, right] = [JSON.stringify(expected), JSON.stringify(found)];
  return left === right ? undefined : `other rows than the model says: ${right} instead of ${left}`;
}
