import { isDeepStrictEqual } from "node:util";
import { Difference } from "./difference.ts";
import { type Expected, expectedAnswer, type Request, requestOf } from "./expect.ts";
import { callers, root } from "./generate-world.ts";
import { comparable, imageOf, match, matchDirectoryEvents, matchEvents, requestOf as requestIdOf } from "./match.ts";
import { applyChanges } from "./model/apply-changes.ts";
import { readDate } from "./model/dates.ts";
import { appendTokenEvent } from "./model/directory-events.ts";
import type { ListRequest } from "./model/list.ts";
import { usersOfTree } from "./model/tokens.ts";
import {
  appendEnd,
  type Event,
  emptyWorld,
  end,
  type Given,
  type HistoryLength,
  lengthOf,
  type Token,
} from "./model/world.ts";
import type { Case, Operation, Target } from "./operations.ts";
import type { Answer, Product } from "./product.ts";
import { idOf } from "./resolve.ts";

/** Runs a case against the service and the model. Resolves to the number of answers that were compared. */
export async function compareCase(product: Product, one: Case): Promise<number> {
  // As it would be replayed: generated objects differ from parsed ones in their prototypes.
  const { imported, world: changes, operations }: Case = JSON.parse(JSON.stringify(one));
  const comparison = await begin(product, changes, imported);
  for (const operation of operations) await comparison.compare(operation);
  for (const kind of ["list", "listEvents", "listDirectoryEvents", "overview"]) {
    await all(callers.map((as) => comparison.compare({ as, [kind]: { filters: [] } } as Operation)));
  }
  await requireSameAgain(product, comparison.count() % 5 === 0);
  if (product.faults.length > 0) throw new Difference("the service had faults", product.faults.splice(0));
  return comparison.count();
}

/** What an export writes, an import accepts, and then exports the same. */
async function requireSameAgain(product: Product, isImported: boolean): Promise<void> {
  if (!isImported) return;
  const lines = await product.exported();
  try {
    await product.restore(lines);
  } catch (error) {
    throw new Difference("an import refuses what an export wrote", { message: (error as Error).message, lines });
  }
  const again = await product.exported();
  if (isDeepStrictEqual(again, lines)) return;
  throw new Difference("an import changes what an export wrote", { lines, again });
}

/** The end that the clock passes, after some of the dates of a world and before others. */
const passed = readDate("2021-01-01T00:00:00Z");

/** The text of each refusal of a change, by what it says is lacking. */
const refusals = new Map<string, string>();

async function begin(product: Product, changes: Case["world"], imported: boolean) {
  await product.reset();
  const world = emptyWorld();
  const tokens = new Map<string, string>();
  /** How many events there were before each operation. */
  const lengths: HistoryLength[] = [];
  let count = 0;

  async function giveToken(userId: string): Promise<void> {
    if (!world.users.has(userId) || world.tokens.has(userId)) return;
    tokens.set(userId, await product.token(userId));
    const events = await product.newDirectoryEvents();
    const [created] = events;
    // Only the service knows its id and its dates.
    const token = (created && imageOf(created, "after")) as Token;
    world.tokens.set(userId, token);
    appendTokenEvent(world, userId, null, token);
    matchDirectoryEvents({ body: {} }, events, world.directoryEvents.slice(-1), undefined);
  }

  async function revokeToken(userId: string): Promise<void> {
    const token = world.tokens.get(userId);
    if (token === undefined) return;
    await product.revoke(token.id);
    const known = world.directoryEvents.length;
    for (const id of usersOfTree(world, userId)) {
      appendTokenEvent(world, id, world.tokens.get(id) ?? null, null);
      world.tokens.delete(id);
    }
    const events = await product.newDirectoryEvents();
    matchDirectoryEvents({ body: {} }, events, world.directoryEvents.slice(known), undefined);
  }

  async function makeWith(userId: string, otherId: string): Promise<void> {
    const [token, other] = [world.tokens.get(userId), world.tokens.get(otherId)];
    if (token === undefined || other === undefined || usersOfTree(world, userId).includes(otherId)) return;
    await product.madeWith(token.id, other.id);
    world.madeWith.set(token.id, other.id);
  }

  async function pass(target: Target): Promise<void> {
    const authorization = world.authorizations.get(idOf(world, root.userId, target));
    if (authorization?.expirationDate == null || authorization.isDue || authorization.expired) return;
    authorization.expirationDate = passed;
    world.ends.set(authorization.id, passed);
    await product.setEnd(authorization.id, passed);
    end(world, authorization);
  }

  async function settle(): Promise<void> {
    await product.settle();
    const known = world.events.length;
    for (const authorization of world.authorizations.values()) appendEnd(world, authorization);
    matchEvents({ body: {} }, await product.newEvents(), world.events.slice(known));
  }

  async function archive(at: number): Promise<void> {
    const past = lengths[at % lengths.length] ?? world.kept;
    const cut = (archived: readonly { sequence: string }[]) =>
      String(archived.reduce((last, { sequence }) => (BigInt(sequence) > last ? BigInt(sequence) : last), -1n) + 1n);
    await product.archive({
      event: cut(world.events.slice(0, past.events)),
      directoryEvent: cut(world.directoryEvents.slice(0, past.directoryEvents)),
    });
    // What is archived stays so.
    if (past.events > world.kept.events || past.directoryEvents > world.kept.directoryEvents) world.kept = past;
    await all(callers.map((as) => compareRequest(as, requestOf(world, { as, listEvents: { filters: [] } }))));
    await all(callers.map((as) => compareRequest(as, requestOf(world, { as, listDirectoryEvents: { filters: [] } }))));
  }

  /** Follows the page tokens of a list, with a limit of its own for each page. */
  async function compareNextPages(as: string, { path, body }: Request, answer: Answer): Promise<void> {
    const { pagination = {}, ...rest } = body as ListRequest;
    let { nextPageToken: pageToken = "", appliedLimit } = answer.body?.pagination ?? {};
    let offset = Number(pagination.offset ?? 0) + appliedLimit;
    for (let page = 1; pageToken !== "" && page <= 4; page += 1) {
      const { offset: _, ...kept } = pagination;
      const sent = { ...rest, pagination: { ...kept, limit: page, pageToken } };
      const next = await product.call(path, sent, tokens.get(as));
      count += 1;
      const asOffset = { path, body: { ...rest, pagination: { ...kept, limit: page, offset } }, writes: false };
      match(as, { path, body: sent, writes: false }, next, expectedAnswer(world, as, asOffset, next, noTime));
      pageToken = next.body.pagination.nextPageToken;
      offset += page;
    }
  }

  /** Asks the service first, because the model has to be told the time and the ids that were made. */
  async function compareRequest(as: string, asked: Request): Promise<void> {
    const request = as === "import" ? asked : withReason(asked, count);
    const dry = await dryRunOf(as, request);
    const start = BigInt(Date.now()) * 1_000n;
    const answer =
      as === "import"
        ? await importing(product, request)
        : await product.call(request.path, request.body, tokens.get(as));
    count += 1;
    if (dry !== undefined && !isDeepStrictEqual(comparable(dry.body), comparable(answer.body))) {
      throw new Difference("a dry run answers something else than the real run", { as, request, dry, answer });
    }
    compareRefusal(as, request, answer);
    if (!request.writes) {
      const expected = expectedAnswer(world, as, request, answer, noTime);
      match(as, request, answer, expected);
      await compareTwin(as, request, answer, expected);
      return compareNextPages(as, request, answer);
    }

    const events = await product.newEvents();
    const directoryEvents = await product.newDirectoryEvents();
    const known = lengthOf(world);
    const given = timesOf(events, start, BigInt(Date.now() + 1) * 1_000n);
    const expected = expectedAnswer(world, as, request, answer, given);
    match(as, request, answer, expected);
    matchEvents(request, events, world.events.slice(known.events));
    const expectedOfDirectory = world.directoryEvents.slice(known.directoryEvents);
    matchDirectoryEvents(request, directoryEvents, expectedOfDirectory, requestIdOf(events));
    await compareTwin(as, request, answer, expected);
  }

  /** Comes before the real run, which has to find everything as it was. */
  async function dryRunOf(as: string, { path, body }: Request): Promise<Answer | undefined> {
    if (as === "import" || !/\/(?:ApplyChanges|OffboardUser)$/.test(path)) return undefined;
    count += 1;
    return product.call(path, { ...body, dryRun: true }, tokens.get(as));
  }

  /** What the caller cannot see has to look like what never was, to the last byte. */
  async function compareTwin(as: string, request: Request, answer: Answer, expected: Expected): Promise<void> {
    const body = twinOf(request, "problems" in expected ? expected.problems[0]?.reason : undefined);
    if (body === undefined) return;
    const twin = await product.call(request.path, body, tokens.get(as));
    count += 1;
    if (twin.status === answer.status && twin.text === answer.text) return;
    throw new Difference("what cannot be seen does not look like what never was", { as, request, answer, twin });
  }

  /** A change that is not permitted is refused with the same bytes, whatever there is. */
  function compareRefusal(as: string, request: Request, answer: Answer): void {
    if (!request.path.endsWith("/ApplyChanges") || answer.status !== 403) return;
    const key = JSON.stringify(answer.body?.details?.[0]?.debug?.metadata);
    const same = refusals.get(key) ?? answer.text;
    refusals.set(key, same);
    if (same !== answer.text)
      throw new Difference("a refusal tells more than what is lacking", { as, request, answer });
  }

  world.organizations.set(root.organizationId, { id: root.organizationId, name: "Home" });
  const bare = { organizationId: root.organizationId, preferredLoginName: "root", displayName: "", avatarUrl: "" };
  world.users.set(root.userId, { id: root.userId, ...bare });
  applyChanges(world, null, [{ administrator: { userId: root.userId, instance: true, roles: ["IAM_OWNER"] } }], noTime);
  // It was there before any event.
  world.directoryEvents.length = 0;
  await giveToken(root.userId);
  await compareRequest(imported ? "import" : root.userId, {
    path: "directory.v1.DirectoryService/ApplyChanges",
    body: { changes },
    writes: true,
  });
  for (const userId of callers) await giveToken(userId);

  return {
    count: () => count,
    async compare(operation: Operation): Promise<void> {
      lengths.push(lengthOf(world));
      if ("token" in operation) return giveToken(operation.token);
      if ("revoke" in operation) return revokeToken(operation.revoke);
      if ("made" in operation) return makeWith(operation.made, operation.with);
      if ("archive" in operation) return archive(operation.archive.before);
      if ("pass" in operation) return pass(operation.pass);
      if ("settle" in operation) return settle();
      if (operation.as === "everybody") {
        for (const as of callers) await this.compare({ ...operation, as });
        return;
      }
      const request = requestOf(world, operation);
      await compareRequest(operation.as, request);
      if (!request.writes) return;
      const everything = { pagination: { limit: 1_000 }, filters: [] };
      const other = callers[count % callers.length] ?? root.userId;
      const readers = new Set([root.userId, operation.as, other].filter((as) => as !== "import"));
      await all([...readers].map((as) => compareRequest(as, requestOf(world, { as, list: everything }))));
      await compareRequest(other, requestOf(world, { as: other, listEvents: everything }));
      if ("apply" in operation || "offboard" in operation) {
        await all(
          [...readers].map((as) => compareRequest(as, requestOf(world, { as, listDirectoryEvents: everything }))),
        );
        // No change makes a difference anywhere but where it should.
        const as = root.userId;
        const lookUps = ["ListOrganizations", "ListProjects", "ListUsers"] as const;
        await all(lookUps.map((rpc) => this.compare({ as, lookUp: { rpc, filters: [] } })));
        await this.compare({ as, listAdministrators: {} });
      }
      const overview = { filters: [], top: 1 + (count % 3), days: 1 + (count % 2) };
      await all([...readers].map((as) => compareRequest(as, requestOf(world, { as, overview }))));
    },
  };
}

/** Waits also when one of them fails, so that nothing of this case is under way when the next one begins. */
async function all(comparisons: Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(comparisons)) if (result.status === "rejected") throw result.reason;
}

/** The request that has to be refused alike. */
function twinOf({ path, twin, userTwin }: Request, reason: string | undefined): object | undefined {
  switch (reason) {
    case "AUTHORIZATION_NOT_FOUND":
      return twin;
    case "PERMISSION_DENIED":
      // Of what is seen, each has its own.
      return path.endsWith("/CreateAuthorization") ? twin : userTwin;
    default:
      return reason === "USER_NOT_FOUND" ? userTwin : undefined;
  }
}

/** Every third change has a reason. */
function withReason(request: Request, count: number): Request {
  if (!request.writes || count % 3 > 0) return request;
  return { ...request, body: { ...request.body, reason: `the reason of ${count}` } };
}

async function importing(product: Product, { body }: Request): Promise<Answer> {
  const { changes } = body as { changes: Case["world"] };
  const reason = await product.import(changes);
  if (reason === undefined) return { status: 200, text: "", body: { applied: changes.length } };
  return { status: 0, text: "", body: { details: [{ debug: { reason } }] } };
}

const noTime: Given = {
  now() {
    throw new Error("nothing is to change");
  },
  isPast() {
    throw new Error("nothing is to change");
  },
};

/** The clock as the events tell it, checked against the clock here; one millisecond is all this one knows. */
function timesOf(events: readonly Event[], start: bigint, end: bigint): Given {
  return {
    now(id, after) {
      // A batch may change one authorization several times.
      const isOfChange = (event: Event) => event.authorizationId === id && event.type !== "user.grant.expired";
      const time = events.find((event) => isOfChange(event) && event.time > (after ?? 0n))?.time;
      if (time === undefined) throw new Difference("no event says when this was changed", { id });
      const earliest = after !== undefined && after >= start ? after + 1n : start;
      const latest = after !== undefined && after >= end ? after + 1_000n : end;
      if (time < earliest || time > latest) throw new Difference("not now", { id, time, earliest, latest });
      return time;
    },
    isPast: (date) => date < start,
  };
}
