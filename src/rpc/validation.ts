import type { DescMessage, Message } from "@bufbuild/protobuf";
import { buildPath, type Path, reflect } from "@bufbuild/protobuf/reflect";
import { createValidator, type Violation, violationsToProto } from "@bufbuild/protovalidate";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { shortenLists } from "./shorten-lists.ts";
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
 * too long is cut to one item beyond its bound.
 */
export function requireValid(schema: DescMessage, message: Message): void {
  shortenLists(reflect(schema, message));
  const violations = violationsOf(schema, message);
  if (violations.length === 0) return;
  const named = violations.slice(0, mostViolations);
  const more = violations.length > named.length ? [`and ${violations.length - named.length} more`] : [];
  const [value, desc] = violationsToProto(named);
  const text = [...named.map(describe), ...more].join("; ");
  throw new ConnectError(text, Code.InvalidArgument, undefined, [{ desc, value }]);
}

function violationsOf(schema: DescMessage, message: Message): Violation[] {
  const result = validator.validate(schema, message);
  if (result.kind === "error") throw result.error;
  return [...(result.violations ?? []), ...unstorable(reflect(schema, message), buildPath(schema))];
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
