import { isDeepStrictEqual } from "node:util";
import { Difference, firstDifference } from "./difference.ts";
import type { Expected, Request } from "./expect.ts";
import { printDate, readDate } from "./model/dates.ts";
import { someToken } from "./model/list.ts";
import { answerOf, type Problem } from "./model/refused.ts";
import type { DirectoryEvent, Event } from "./model/world.ts";
import type { Answer } from "./product.ts";

/** Throws the difference between what the service answered and what the model did. */
export function match(as: string, request: Request, answer: Answer, expected: Expected): void {
  const { status, body } = answer;
  if ("problems" in expected) {
    if (refusesAs(as, answer, expected)) return;
    throw new Difference("the model refuses otherwise", { as, request, observed: { status, body }, expected });
  }
  if (status === 200 && isDeepStrictEqual(comparable(body), expected.body)) return;
  const first = firstDifference(body, expected.body);
  throw new Difference("another answer than the model's", { as, request, status, first, body, expected });
}

/** Without what only the service can know: page tokens, and the version of the directory, which differs in each answer. */
export function comparable(body: any): unknown {
  const { version, ...rest } = body ?? {};
  if (typeof version === "string" && version !== "") return rest;
  if (!body?.pagination?.nextPageToken) return body;
  return { ...body, pagination: { ...body.pagination, nextPageToken: someToken } };
}

function refusesAs(as: string, { status, body }: Answer, { problems, metadata }: Refusal): boolean {
  const [detail, ...more] = body?.details ?? [];
  const { reason, domain, metadata: observed = {} } = detail?.debug ?? {};
  const told = problems.filter((problem) => problem.reason === reason);
  if (more.length > 0 || told.length === 0) return false;
  if (as === "import") return true;
  return (
    isDeepStrictEqual({ status, code: body.code }, answerOf[reason]) &&
    isDeepStrictEqual(Object.keys(body).sort(), ["code", "details", "message"]) &&
    body.message !== "" &&
    detail.type === "google.rpc.ErrorInfo" &&
    domain === "authorization.service" &&
    (metadata === undefined
      ? told.some((problem) => isAbout(problem, observed))
      : isDeepStrictEqual(observed, metadata))
  );
}

type Refusal = Extract<Expected, { problems: unknown }>;

function isAbout({ index, firstIndex }: Problem, { what = "", ...observed }: Record<string, string>): boolean {
  const isFirst = firstIndex === undefined || observed.firstIndex === String(firstIndex);
  return what !== "" && isFirst && observed.index === String(index);
}

/**
 * Within one request the order across authorizations is nobody's promise; that of each one's own events is, and their
 * times tell them apart. What the service numbered them and called their request is told to the model.
 */
export function matchEvents(
  request: Pick<Request, "body">,
  observed: readonly Event[],
  expected: readonly Event[],
): void {
  const by = (one: { authorizationId: string }, other: { authorizationId: string }) =>
    one.authorizationId < other.authorizationId ? -1 : one.authorizationId > other.authorizationId ? 1 : 0;
  const plain = [...observed].sort(by);
  for (const event of expected) {
    const same = observed.find(
      ({ authorizationId, time }) => authorizationId === event.authorizationId && time === event.time,
    );
    event.sequence = same?.sequence ?? "";
    if (event.type === "user.grant.expired") continue;
    event.requestId = requestOf(observed) ?? "";
    event.reason = "reason" in request.body ? String(request.body.reason) : "";
  }
  if (isDeepStrictEqual(plain, [...expected].sort(by))) return;
  throw new Difference("other events than the model's", { request, observed: plain, expected });
}

/** What the service called the request of these events. Ends have none. */
export function requestOf(observed: readonly Event[]): string | undefined {
  return observed.find(({ requestId }) => requestId !== "")?.requestId;
}

/** The same for events of the directory. All of them have one time, and the request of the assignments' events. */
export function matchDirectoryEvents(
  request: Pick<Request, "body">,
  observed: readonly DirectoryEvent[],
  expected: readonly DirectoryEvent[],
  requestId: string | undefined,
): void {
  const nameOf = ({ kind, id, within, after }: DirectoryEvent) => JSON.stringify([kind, id, within, after === null]);
  const byName = (one: DirectoryEvent, other: DirectoryEvent) => (nameOf(one) < nameOf(other) ? -1 : 1);
  const [found, wanted] = [observed.map(withAllFields).sort(byName), [...expected].sort(byName)];
  for (const [index, event] of wanted.entries()) {
    const same = found[index];
    event.sequence = same?.sequence ?? "";
    event.time = same?.time ?? 0n;
    event.requestId = requestId ?? found[0]?.requestId ?? "";
    event.reason = "reason" in request.body ? String(request.body.reason) : "";
  }
  if (isDeepStrictEqual(found, wanted)) return;
  const first = firstDifference(found, wanted);
  throw new Difference("other events of the directory than the model's", { request, first, observed: found, expected });
}

function withAllFields(event: DirectoryEvent): DirectoryEvent {
  return { ...event, before: imageOf(event, "before"), after: imageOf(event, "after") };
}

/** The history leaves empty fields out, and has all digits of a date, while lists don't. */
export function imageOf(event: DirectoryEvent, when: "before" | "after"): object | null {
  const image = event[when];
  if (image === null) return null;
  const dates = "creationDate" in image ? { creationDate: printDate(readDate(String(image.creationDate))) } : {};
  return { ...emptyFields[event.kind], ...image, ...dates };
}

const emptyFields: Readonly<Record<string, object>> = {
  user: { displayName: "", avatarUrl: "" },
  projectRole: { displayName: "", group: "" },
  projectGrant: { roleKeys: [] },
  token: { name: "", makerId: "" },
};
