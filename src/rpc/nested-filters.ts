import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { buildPath, type Path, type PathBuilder } from "@bufbuild/protobuf/reflect";
import { Violation } from "@bufbuild/protovalidate";
import {
  AllOfQuerySchema,
  AnyOfQuerySchema,
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
  State,
} from "../../gen/service/authorization/v2/authorization_pb.ts";

/** docs/reference.md, "Filters that nest". */
const mostFilters = 50;
const mostDepth = 3;

/** Filters within filters, each with where it is, and the violations of how many there may be and how deep. */
export type Nested = {
  readonly filters: readonly { readonly filter: AuthorizationsSearchFilter; readonly path: PathBuilder }[];
  readonly violations: readonly Violation[];
};

/**
 * Looks for what nests in the filters of a request, if it has any. What is beyond the bounds is emptied, so that nobody
 * spends time on looking into it.
 */
export function boundNested(schema: DescMessage, message: Message): Nested {
  const field = schema.fields.find(
    (each) => each.fieldKind === "list" && each.message?.typeName === AuthorizationsSearchFilterSchema.typeName,
  );
  if (field === undefined) return { filters: [], violations: [] };
  const filters = (message as unknown as Record<string, AuthorizationsSearchFilter[]>)[field.localName] ?? [];
  const path = buildPath(schema).field(field);
  const seen: Seen = { count: 0, nested: [], tooDeep: [] };
  visitAll(filters, path, 1, seen);
  const violations = [...seen.tooDeep];
  // A list that is too long by itself has a rule of its own.
  if (seen.count > mostFilters && filters.length <= mostFilters) {
    const text = `must contain no more than ${mostFilters} filters, counting those within others`;
    violations.push(new Violation(text, "filters.max_total", path.toPath(), [], false));
  }
  return { filters: seen.nested, violations };
}

/** Whether a path leads into a filter that another one nests. */
export function isWithinNested(path: Path): boolean {
  return path.some((step, index) => {
    if (step === AuthorizationsSearchFilterSchema.field.not) return true;
    const isList = step === AnyOfQuerySchema.field.filters || step === AllOfQuerySchema.field.filters;
    // The list itself is of the filter that nests.
    return isList && index < path.length - 1;
  });
}

type Seen = { count: number; readonly nested: Nested["filters"][number][]; readonly tooDeep: Violation[] };

function visitAll(filters: AuthorizationsSearchFilter[], path: PathBuilder, depth: number, seen: Seen): void {
  filters.length = Math.min(filters.length, mostFilters + 1);
  for (const [index, filter] of filters.entries()) visit(filter, path.clone().list(index), depth, seen);
}

function visit(filter: AuthorizationsSearchFilter, path: PathBuilder, depth: number, seen: Seen): void {
  seen.count += 1;
  if (depth > mostDepth) {
    const text = `must not be nested deeper than ${mostDepth} filters`;
    seen.tooDeep.push(new Violation(text, "filters.max_depth", path.toPath(), [], false));
  }
  if (depth > mostDepth || seen.count > mostFilters) {
    filter.filter = harmless;
    return;
  }
  if (depth > 1) seen.nested.push({ filter, path });
  const { field } = AuthorizationsSearchFilterSchema;
  const listIn = (nesting: DescField, list: DescField) => path.clone().field(nesting).field(list);
  const { case: kind, value } = filter.filter;
  if (kind === "not") visit(value, path.clone().field(field.not), depth + 1, seen);
  if (kind === "anyOf") visitAll(value.filters, listIn(field.anyOf, AnyOfQuerySchema.field.filters), depth + 1, seen);
  if (kind === "allOf") visitAll(value.filters, listIn(field.allOf, AllOfQuerySchema.field.filters), depth + 1, seen);
}

/** Breaks no rule; the request is refused anyway. */
const harmless: AuthorizationsSearchFilter["filter"] = {
  case: "state",
  value: { $typeName: "service.authorization.v2.StateQuery", state: State.ACTIVE },
};
