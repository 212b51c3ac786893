import type { DescMessage, Message } from "@bufbuild/protobuf";
import { buildPath, type Path, type PathBuilder, type ReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { createValidator, Violation, violationsToProto } from "@bufbuild/protovalidate";
import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

const validator = createValidator();

/** Refuses requests that break a rule of their messages, naming every violation at once. */
export const requireValidRequest: Interceptor = (next) => (request) => {
  if (!request.stream) requireValid(request.method.input, request.message);
  return next(request);
};

/** Throws `invalid_argument` with buf.validate.Violations; the message uses the names JSON clients send. */
export function requireValid(schema: DescMessage, message: Message): void {
  const violations = violationsOf(schema, message);
  if (violations.length === 0) return;
  const [value, desc] = violationsToProto(violations);
  throw new ConnectError(violations.map(describe).join("; "), Code.InvalidArgument, undefined, [{ desc, value }]);
}

function violationsOf(schema: DescMessage, message: Message): Violation[] {
  const result = validator.validate(schema, message);
  if (result.kind === "error") throw result.error;
  return [...(result.violations ?? []), ...unstorableTexts(reflect(schema, message), buildPath(schema))];
}

/** Texts that protobuf or JSON can carry and Postgres cannot keep. */
function* unstorableTexts(message: ReflectMessage, path: PathBuilder): Generator<Violation> {
  for (const field of message.fields) {
    if (!message.isSet(field)) continue;
    const here = path.clone().field(field);
    if (field.fieldKind === "scalar") {
      yield* unstorableText(message.get(field), here);
    } else if (field.fieldKind === "message") {
      yield* unstorableTexts(message.get(field), here);
    } else if (field.fieldKind === "list") {
      for (const [index, item] of [...message.get(field)].entries()) {
        const there = () => here.clone().list(index);
        if (field.listKind === "message") yield* unstorableTexts(item as ReflectMessage, there());
        else if (typeof item === "string") yield* unstorableText(item, there());
      }
    }
  }
}

function* unstorableText(value: unknown, path: PathBuilder): Generator<Violation> {
  if (typeof value !== "string" || (value.isWellFormed() && !value.includes("\0"))) return;
  yield new Violation(
    "must not contain a NUL character or a lone surrogate",
    "string.storable",
    path.toPath(),
    [],
    false,
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
