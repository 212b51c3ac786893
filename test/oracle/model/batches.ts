import {
  type CreateRequest,
  createAuthorization,
  deleteAuthorization,
  type IdRequest,
  setState,
  type UpdateRequest,
  updateAuthorization,
} from "./changes-of-authorizations.ts";
import { readDate } from "./dates.ts";
import { sees } from "./permissions.ts";
import { answerOf, Refused } from "./refused.ts";
import { appendEnd, type Given, type State, type World } from "./world.ts";

export type BatchRequest<Item = CreateRequest | UpdateRequest | IdRequest> = {
  items: Item[];
  atomic: boolean;
  state?: State;
};

/** What only the service can know of an item: the id it made, and its words. */
type Told = { readonly success?: { id?: string }; readonly error?: { message?: string } };

/** Does one item after the other, each as the single call of the same name. */
export function batch(
  world: World,
  callerId: string,
  rpc: string,
  request: BatchRequest,
  told: readonly Told[],
  given: Given,
): object {
  const results = request.items.map((item, index) => {
    try {
      return { success: successOf(world, callerId, rpc, request, item, told[index]?.success?.id ?? "no id", given) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const reason = error.problems[0]?.reason ?? "";
      const message = told[index]?.error?.message || "some words";
      return { error: { code: answerOf[reason]?.code, reason, message, metadata: error.metadata } };
    }
  });
  return { results };
}

/** Throws what an atomic batch is refused with, and undoes all of it. When it is not refused, nothing has been done. */
export function requireAll(world: World, callerId: string, rpc: string, request: BatchRequest): void {
  const authorizations = [...world.authorizations].map(([id, one]) => [id, { ...one }] as const);
  const events = world.events.length;
  const ends = [...world.ends];
  // The first item that changed or made each.
  const changedBy = new Map<string, number>();
  try {
    for (const [index, item] of request.items.entries()) {
      const before = world.events.length;
      try {
        successOf(world, callerId, rpc, request, item, undone(index), imagined);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        throw new Refused(error.problems, { ...withoutUndone(error.metadata, item, changedBy), index: String(index) });
      }
      for (const { authorizationId } of world.events.slice(before)) {
        if (!changedBy.has(authorizationId)) changedBy.set(authorizationId, index);
      }
    }
  } finally {
    world.events.length = events;
    world.authorizations.clear();
    for (const [id, authorization] of authorizations) world.authorizations.set(id, authorization);
    world.ends.clear();
    for (const [id, end] of ends) world.ends.set(id, end);
    appendEndsOf(world, callerId, request);
  }
}

/** What is found is written before it is judged, unless all of it is rolled back: when an item comes after another one. */
function appendEndsOf(world: World, callerId: string, { items }: BatchRequest): void {
  const ids = items.flatMap((item) => ("id" in item ? [item.id] : []));
  if (new Set(ids).size < ids.length) return;
  for (const id of ids) {
    const authorization = world.authorizations.get(id);
    if (authorization !== undefined && sees(world, callerId, authorization)) appendEnd(world, authorization);
  }
}

const undone = (index: number) => `undone ${index}`;

/** Dates that no answer shows: later than all there are, and later with each change. */
const imagined: Given = {
  now: (_, after) => (after !== undefined && after >= far ? after + 1n : far),
  isPast: (date) => date < far,
};
const far = readDate("9000-01-01T00:00:00Z");

/** Ids and dates that are undone are not told; the item they come from is. */
function withoutUndone(
  metadata: Record<string, string> = {},
  item: BatchRequest["items"][number],
  changedBy: ReadonlyMap<string, number>,
): Record<string, string> {
  const { id, changeDate, ...rest } = metadata;
  const isUndone = changeDate !== undefined && readDate(changeDate) >= far;
  const first = changedBy.get(isUndone && "id" in item ? item.id : (id ?? ""));
  return first === undefined ? metadata : { ...rest, firstIndex: String(first) };
}

function successOf(
  world: World,
  callerId: string,
  rpc: string,
  { state = "STATE_ACTIVE" }: BatchRequest,
  item: BatchRequest["items"][number],
  newId: string,
  given: Given,
): object {
  switch (rpc) {
    case "BatchCreateAuthorizations":
      return createAuthorization(world, callerId, item as CreateRequest, newId, given);
    case "BatchUpdateAuthorizations":
      return updateAuthorization(world, callerId, item as UpdateRequest, given);
    case "BatchDeleteAuthorizations":
      return deleteAuthorization(world, callerId, item as IdRequest, given);
    default:
      return setState(world, callerId, state, item as IdRequest, given);
  }
}
