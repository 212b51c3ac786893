import type { DescMessage, Message } from "@bufbuild/protobuf";
import { buildPath, type Path, type PathBuilder, reflect } from "@bufbuild/protobuf/reflect";
import { createValidator, Violation, violationsToProto } from "@bufbuild/protovalidate";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import {
  type AuthorizationsSearchFilter,
  AuthorizationsSearchFilterSchema,
} from "../../gen/service/authorization/v2/authorization_pb.ts";
import { boundNested, isWithinNested, type Nested } from "./nested-filters.ts";
import { unstorable } from "./unstorable.ts";

const validator = createValidator();

/** Refuses requests that break a rule of their messages, naming every violation at once. */
export const requireValidRequest: Interceptor = (next) => (request) => {
  if (!request.stream) requireValid(request.method.input, request.message);
  return next(request);
};

/** How many violations an answer names. One more than anybody can read would only make the answer large. */
const mostViolations = 100;

/**
 * Throws `invalid_argument` with buf.validate.Violations; the message uses the names JSON clients send. A list that is
 * too long is cut to one item beyond its bound, and what is nested too deep is emptied.
 */
export function requireValid(schema: DescMessage, message: Message): void {
  const nested = boundNested(schema, message);
  const violations = violationsOf(schema, message, nested);
  if (violations.length > 0) refuseViolations(violations);
}

/** Throws `invalid_argument` with buf.validate.Violations, naming the first hundred. */
export function refuseViolations(violations: readonly Violation[]): never {
  const named = violations.slice(0, mostViolations);
  const more = violations.length > named.length ? [`and ${violations.length - named.length} more`] : [];
  const [value, desc] = violationsToProto(named);
  const text = [...named.map(describe), ...more].join("; ");
  throw new ConnectError(text, Code.InvalidArgument, undefined, [{ desc, value }]);
}

function violationsOf(schema: DescMessage, message: Message, nested: Nested): Violation[] {
  const found = broken(schema, message);
  return [
    ...(nested.filters.length === 0 ? found : found.filter(({ field }) => !isWithinNested(field))),
    ...nested.filters.flatMap(({ filter, path }) => brokenWithin(filter, path)),
    ...unstorable(reflect(schema, message), buildPath(schema)),
    ...nested.violations,
  ];
}

function broken(schema: DescMessage, message: Message): Violation[] {
  const result = validator.validate(schema, message);
  if (result.kind === "error") throw result.error;
  return result.violations ?? [];
}

/**
 * Of a message that nests itself, protovalidate 1.3.0 looks into some fields and not into others. So each nested filter is
 * validated alone, and what is found in filters within it is left to them.
 */
function brokenWithin(filter: AuthorizationsSearchFilter, path: PathBuilder): Violation[] {
  return broken(AuthorizationsSearchFilterSchema, filter)
    .filter(({ field }) => !isWithinNested(field))
    .map(
      ({ message, ruleId, field, rule, forKey }) =>
        new Violation(message, ruleId, [...path.toPath(), ...field], rule, forKey),
    );
}

function describe(violation: Violation): string {
  const path = jsonPath(violation.field);
  return path === "" ? violation.message : `${path}: ${violation.message}`;
}

function jsonPath(path: Path): string {
  return path.reduce((text, step) => {
    switch (step.kind) {
      case "list_sub":
        return `${text}[${step.index}]`;
      case "map_sub":
        return `${text}[${JSON.stringify(String(step.key))}]`;
      default: {
        const name = step.kind === "field" ? step.jsonName : step.name;
        return text === "" ? name : `${text}.${name}`;
      }
    }
  }, "");
}
