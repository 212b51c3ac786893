import { ConnectError } from "@connectrpc/connect";
import { type Caller, permissionDenied } from "../authorization/permissions.ts";
import type { CheckedRoles, RoleCheck } from "../authorization/role-check.ts";
import { actionOf, holderOf, member, questionOf, resourceOf, subjectOf } from "./entities.ts";
import { isObject, type JsonEndpoint, type JsonObject, malformed } from "./json-endpoint.ts";

/** An answer of the Access Evaluation API. */
type Decision = { readonly decision: boolean; readonly context?: object };

/** Answers one evaluation after the other, from one snapshot. */
export type Evaluate = (requests: readonly unknown[], caller: Caller, signal: AbortSignal) => Promise<Decided[]>;
/** A decision, or the error in its place. */
type Decided = boolean | ConnectError | ReturnType<typeof permissionDenied>;

export function evaluator(check: RoleCheck["check"], resourceType: string): Evaluate {
  return async (requests, caller, signal) => {
    const asked = requests.map((request) => askedBy(request, resourceType));
    const checked = asked.filter(isChecked);
    // One role is enough to decide.
    const results = (await check(caller, checked, 1, signal)).values();
    return asked.map((one) => {
      if (!isChecked(one)) return one ?? false;
      const held = results.next().value;
      return held === undefined ? permissionDenied("user.grant.read") : held.length > 0;
    });
  };
}

/** Undefined for what can't exist. */
type Asked = CheckedRoles | ConnectError | undefined;

function isChecked(asked: Asked): asked is CheckedRoles {
  return asked !== undefined && !(asked instanceof ConnectError);
}

function askedBy(request: unknown, resourceType: string): Asked {
  try {
    if (!isObject(request)) throw malformed("an evaluation must be an object");
    const question = questionOf(request);
    const holder = holderOf(question, resourceType);
    return holder && { ...holder, roleKeys: [question.action] };
  } catch (error) {
    if (error instanceof ConnectError) return error;
    throw error;
  }
}

/** The Access Evaluation API. */
export const evaluation =
  (evaluate: Evaluate): JsonEndpoint["answer"] =>
  async (caller, request, signal) => {
    const [decided] = await evaluate([request], caller, signal);
    if (typeof decided !== "boolean") throw decided;
    return { decision: decided } satisfies Decision;
  };

/** The most evaluations of a request (docs/reference/limits.md). */
const mostEvaluations = 1_000;

/** The Access Evaluations API. */
export const evaluations =
  (evaluate: Evaluate): JsonEndpoint["answer"] =>
  async (caller, request, signal) => {
    const last = lastOf(request);
    const items = member(request, "evaluations", "array") ?? [];
    if (items.length === 0) return evaluation(evaluate)(caller, request, signal);
    if (items.length > mostEvaluations) throw malformed(`evaluations: must have at most ${mostEvaluations} items`);
    const defaults = defaultsOf(request);
    const requests = items.map((item) => (isObject(item) ? { ...defaults, ...item } : item));
    const decisions = (await evaluate(requests, caller, signal)).map(toDecision);
    const end = decisions.findIndex(({ decision }) => decision === last);
    return { evaluations: end < 0 ? decisions : decisions.slice(0, end + 1) };
  };

/** Each is replaced as a whole, so it must be complete. */
function defaultsOf(request: JsonObject): JsonObject {
  member(request, "context", "object");
  const given = Object.entries({ subject: subjectOf, action: actionOf, resource: resourceOf }).filter(
    ([name, read]) => {
      return Object.hasOwn(request, name) && read(request) !== undefined;
    },
  );
  return Object.fromEntries(given.map(([name]) => [name, request[name]]));
}

const semantics = new Map([
  ["execute_all", undefined],
  ["deny_on_first_deny", false],
  ["permit_on_first_permit", true],
]);

/** The decision that ends the evaluations; undefined if none does. */
function lastOf(request: JsonObject): boolean | undefined {
  const options = member(request, "options", "object") ?? {};
  const semantic = member(options, "evaluations_semantic", "string", "options") ?? "execute_all";
  if (semantics.has(semantic)) return semantics.get(semantic);
  throw malformed(`options.evaluations_semantic: must be one of ${[...semantics.keys()].join(", ")}`);
}

/** An error counts as a denial. Its status is that of the single evaluation. */
function toDecision(decided: Decided): Decision {
  if (typeof decided === "boolean") return { decision: decided };
  const [status, message] = decided instanceof ConnectError ? [400, decided.rawMessage] : [403, decided.message];
  return { decision: false, context: { error: { status, message } } };
}
