import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { buildPath, type PathBuilder } from "@bufbuild/protobuf/reflect";
import { Violation } from "@bufbuild/protovalidate";
import {
  AllOfQuerySchema,
  AnyOfQuerySchema,
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
  State,
} from "../../../gen/service/authorization/v2/authorization_pb.ts";

/** docs/reference/lists-and-filters.md. */
const mostFilters = 50;
const mostDepth = 3;

/** An item of a request's list, with its path. */
export type PlacedItem = { readonly item: Message; readonly path: PathBuilder };

/**
 * The filters of a request, each without the filters it nests, and the violations of the limits on their number and depth.
 * Filters beyond the limits are left out. Undefined if a field doesn't hold filters that can nest.
 */
export function filtersIn(schema: DescMessage, field: DescField, message: Message) {
  if (field.message?.typeName !== AuthorizationsSearchFilterSchema.typeName) return undefined;
  const all = (message as unknown as Record<string, AuthorizationsSearchFilter[]>)[field.localName] ?? [];
  const path = buildPath(schema).field(field);
  const filters: PlacedItem[] = [];
  const violations: Violation[] = [];
  let count = 0;
  for (const { filter, place, depth } of placed(all, path, 1)) {
    count += 1;
    if (depth > mostDepth) {
      const text = `must be nested at most ${mostDepth} levels deep`;
      violations.push(new Violation(text, "filters.max_depth", place.toPath(), [], false));
    }
    if (count > mostFilters) break;
    if (depth <= mostDepth) filters.push({ item: withoutNested(filter), path: place });
  }
  const areTooMany = count > mostFilters;
  if (areTooMany) {
    const text = `must have at most ${mostFilters} filters, including nested ones`;
    violations.push(new Violation(text, "filters.max_total", path.toPath(), [], false));
  }
  return { filters, areTooMany, violations };
}

type Placed = { readonly filter: AuthorizationsSearchFilter; readonly place: PathBuilder; readonly depth: number };

/** Each filter, and then those that it nests, down to the first level that is too deep. */
function* placed(filters: AuthorizationsSearchFilter[], path: PathBuilder, depth: number): Generator<Placed> {
  for (const [index, filter] of filters.entries()) yield* withNested(filter, path.clone().list(index), depth);
}

function* withNested(filter: AuthorizationsSearchFilter, place: PathBuilder, depth: number): Generator<Placed> {
  yield { filter, place, depth };
  if (depth > mostDepth) return;
  const { field } = AuthorizationsSearchFilterSchema;
  const listIn = (nesting: DescField, list: DescField) => place.clone().field(nesting).field(list);
  const { case: kind, value } = filter.filter;
  if (kind === "not") yield* withNested(value, place.clone().field(field.not), depth + 1);
  if (kind === "anyOf") yield* placed(value.filters, listIn(field.anyOf, AnyOfQuerySchema.field.filters), depth + 1);
  if (kind === "allOf") yield* placed(value.filters, listIn(field.allOf, AllOfQuerySchema.field.filters), depth + 1);
}

/** Replaces nested filters, because protovalidate 1.3.0 checks only some fields of a message that nests itself. */
function withoutNested(filter: AuthorizationsSearchFilter): AuthorizationsSearchFilter {
  const { filter: kind } = filter;
  switch (kind.case) {
    case "not":
      return { ...filter, filter: { ...kind, value: harmless } };
    case "anyOf":
    case "allOf": {
      const value = { ...kind.value, filters: kind.value.filters.slice(0, mostFilters + 1).map(() => harmless) };
      return { ...filter, filter: { ...kind, value } as typeof kind };
    }
    default:
      return filter;
  }
}

/** Breaks no rule. */
const harmless: AuthorizationsSearchFilter = {
  $typeName: "service.authorization.v2.AuthorizationsSearchFilter",
  filter: { case: "state", value: { $typeName: "service.authorization.v2.StateQuery", state: State.ACTIVE } },
};
