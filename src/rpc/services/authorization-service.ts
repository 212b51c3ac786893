import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { HandlerContext, ServiceImpl } from "@connectrpc/connect";
import { v7 as newId } from "uuid";
import { AuthorizationsSearchFilterSchema } from "../../../gen/service/authorization/v2/authorization_pb.ts";
import type { AuthorizationService } from "../../../gen/service/authorization/v2/authorization_service_pb.ts";
import type { State } from "../../authorization/authorization.ts";
import { inRounds, roundsOf } from "../../authorization/batch.ts";
import { createAuthorizations } from "../../authorization/create-authorizations.ts";
import { deleteAuthorizations } from "../../authorization/delete-authorizations.ts";
import type { Position, SortColumn } from "../../authorization/list.ts";
import { visibilityOf } from "../../authorization/permissions.ts";
import { Refusal } from "../../authorization/refusal.ts";
import { type Named, setStates } from "../../authorization/set-states.ts";
import { type Outcome, type Rule, requireOne } from "../../authorization/steps.ts";
import type { AuthorizationStore } from "../../authorization/store.ts";
import { updateAuthorizations } from "../../authorization/update-authorizations.ts";
import { actorOf, callerOf } from "../call.ts";
import {
  fromAuthorization,
  toAssignment,
  toFilter,
  toNamed,
  toSortColumn,
  toState,
  toUpdate,
} from "../messages/authorizations.ts";
import {
  askedPage,
  asWritten,
  bytesOf,
  listId,
  type PageLimits,
  type Positions,
  readInstant,
} from "../messages/page.ts";
import { fromInstant } from "../messages/timestamps.ts";
import { toBatchResult } from "../refusals.ts";

/** A request of any of these RPCs. */
type Reasoned = { readonly reason: string };

/** Single changes and batches follow the same rules. Each call is one transaction. */
export function authorizationService(
  store: AuthorizationStore,
  limits: PageLimits,
): ServiceImpl<typeof AuthorizationService> {
  function many<Item extends { readonly id: string }>(
    { reason, atomic }: Reasoned & { readonly atomic: boolean },
    context: HandlerContext,
    rule: Rule<Item>,
    items: readonly Item[],
  ): Promise<Outcome[]> {
    const caller = callerOf(context);
    const rounds = roundsOf(items);
    return store.change(
      actorOf(context, reason),
      context.signal,
      (change) => inRounds(rounds, items, atomic, (round) => rule(change, caller, round, atomic)),
      rounds.length,
    );
  }

  /** Returns the date of the change, or throws its refusal. */
  async function one<Item extends { readonly id: string }>(
    { reason }: Reasoned,
    context: HandlerContext,
    rule: Rule<Item>,
    item: Item,
  ): Promise<Timestamp> {
    return fromInstant(requireOne(await many({ reason, atomic: false }, context, rule, [item])));
  }

  return {
    async listAuthorizations({ pagination, sortingColumn, filters }, context) {
      const sort = { column: toSortColumn(sortingColumn), ascending: pagination?.asc ?? false };
      const bytes = () => bytesOf(AuthorizationsSearchFilterSchema, filters);
      const list = () => listId("authorizations", sort.column, sort.ascending, ...bytes());
      const { part, tell } = askedPage(pagination, limits, list, positionsBy(sort.column));
      const query = { ...part, filters: filters.map(toFilter), sort };
      const page = await store.list(visibilityOf(callerOf(context)), query, context.signal);
      return {
        $typeName: "service.authorization.v2.ListAuthorizationsResponse",
        pagination: tell(page),
        authorizations: page.items.map(fromAuthorization),
      };
    },
    async createAuthorization(request, context) {
      const assignment = toAssignment(request, newId());
      return { id: assignment.id, creationDate: await one(request, context, createAuthorizations, assignment) };
    },
    async updateAuthorization(request, context) {
      return { changeDate: await one(request, context, updateAuthorizations, toUpdate(request)) };
    },
    async deleteAuthorization(request, context) {
      return { deletionDate: await one(request, context, deleteAuthorizations, toNamed(request)) };
    },
    async activateAuthorization(request, context) {
      return { changeDate: await one(request, context, setting("active"), toNamed(request)) };
    },
    async deactivateAuthorization(request, context) {
      return { changeDate: await one(request, context, setting("inactive"), toNamed(request)) };
    },
    async batchCreateAuthorizations(request, context) {
      const assignments = request.items.map((item) => toAssignment(item, newId()));
      const outcomes = await many(request, context, createAuthorizations, assignments);
      const idAt = (index: number) => assignments[index]?.id ?? "";
      return { results: resultsOf(outcomes, (creationDate, index) => ({ id: idAt(index), creationDate })) };
    },
    async batchUpdateAuthorizations(request, context) {
      const outcomes = await many(request, context, updateAuthorizations, request.items.map(toUpdate));
      return { results: resultsOf(outcomes, (changeDate) => ({ changeDate })) };
    },
    async batchDeleteAuthorizations(request, context) {
      const outcomes = await many(request, context, deleteAuthorizations, request.items.map(toNamed));
      return { results: resultsOf(outcomes, (deletionDate) => ({ deletionDate })) };
    },
    async batchSetState(request, context) {
      const { state, items } = request;
      const outcomes = await many(request, context, setting(toState(state)), items.map(toNamed));
      return { results: resultsOf(outcomes, (changeDate) => ({ changeDate })) };
    },
  };
}

function setting(state: State): Rule<Named> {
  return (change, caller, named, atomic) => setStates(change, caller, state, named, atomic);
}

/** The result of each item of a batch. */
function resultsOf<Success extends object>(
  outcomes: readonly Outcome[],
  succeed: (date: Timestamp, index: number) => Success,
) {
  return outcomes.map((outcome, index) =>
    toBatchResult(outcome instanceof Refusal ? outcome : succeed(fromInstant(outcome.date), index)),
  );
}

const dates: ReadonlySet<SortColumn> = new Set(["creationDate", "changeDate", "expirationDate"]);

function positionsBy(column: SortColumn): Positions<Position> {
  return { key: dates.has(column) ? readInstant : asWritten, id: asWritten };
}
