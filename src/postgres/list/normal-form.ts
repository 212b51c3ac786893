import type { State } from "../../authorization/authorization.ts";
import type { Filter, SimpleFilter } from "../../authorization/list.ts";

/** A filter in which nothing is negated but what nests no others, and no level could be merged with the one above it. */
export type Term =
  | SimpleFilter
  | { readonly kind: "not"; readonly filter: SimpleFilter }
  | { readonly kind: "anyOf" | "allOf"; readonly filters: readonly Term[] };

/** What filters come to, joined by AND as they are: what matches them matches these, and the other way round. */
export function normalForm(filters: readonly Filter[]): readonly Term[] {
  return partsOf(termOf({ kind: "allOf", filters }, true));
}

/** What matches exactly where the term does not. */
export function negated(term: Term): Term {
  return termOf(term, false);
}

/** The terms that one is joined from by AND. */
export function partsOf(term: Term): readonly Term[] {
  return term.kind === "allOf" ? term.filters : [term];
}

function termOf(filter: Filter, holds: boolean): Term {
  switch (filter.kind) {
    case "not":
      return termOf(filter.filter, !holds);
    case "anyOf":
    case "allOf": {
      // To match not any is to match not each one, and the other way round.
      const kind = (filter.kind === "anyOf") === holds ? "anyOf" : "allOf";
      const terms = filter.filters
        .map((each) => termOf(each, holds))
        .flatMap((term) => (term.kind === kind ? term.filters : [term]));
      const [first, ...more] = terms;
      return first !== undefined && more.length === 0 ? first : { kind, filters: terms };
    }
    case "state":
      // There are two, so that the total of the other one is kept too.
      return holds ? filter : { kind: "state", state: filter.state === "active" ? "inactive" : "active" };
    case "projectIds": {
      const [id, ...more] = filter.ids;
      const isOne = id !== undefined && more.length === 0;
      return isOne ? termOf({ kind: "projectId", id }, holds) : asIs(filter, holds);
    }
    case "created":
    case "changed": {
      // What is not from a moment on is before it.
      const { from, to } = filter.range;
      const hasBothEnds = from !== undefined && to !== undefined;
      if (!holds && !hasBothEnds) return { ...filter, range: { from: to, to: from } };
      return asIs(filter, holds);
    }
    default:
      return asIs(filter, holds);
  }
}

function asIs(filter: SimpleFilter, holds: boolean): Term {
  return holds ? filter : { kind: "not", filter };
}

/** The one organization, project and state that filters leave, and the filters that say something else. */
export type Narrowing = {
  readonly organizationId?: string;
  readonly projectId?: string;
  readonly state?: State;
  readonly others: readonly Term[];
};

export function narrow(filters: readonly Filter[]): Narrowing {
  const narrowing: { organizationId?: string; projectId?: string; state?: State } = {};
  const others = normalForm(filters).filter((filter) => {
    switch (filter.kind) {
      case "organizationId":
      case "projectId":
        // An empty id matches nothing; a second one that differs leaves nothing.
        if (filter.id === "") return true;
        narrowing[filter.kind] ??= filter.id;
        return narrowing[filter.kind] !== filter.id;
      case "state":
        narrowing.state ??= filter.state;
        return narrowing.state !== filter.state;
      default:
        return true;
    }
  });
  return { ...narrowing, others };
}
