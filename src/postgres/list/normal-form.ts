import type { State } from "../../authorization/authorization.ts";
import type { Filter, SimpleFilter } from "../../authorization/list.ts";

/** A filter in normal form: only simple filters are negated, and no level can be merged with the one above. */
export type Term =
  | SimpleFilter
  | { readonly kind: "not"; readonly filter: SimpleFilter }
  | { readonly kind: "anyOf" | "allOf"; readonly filters: readonly Term[] };

/** Equivalent terms in normal form. All of them must match, like the filters. */
export function normalForm(filters: readonly Filter[]): readonly Term[] {
  return partsOf(termOf({ kind: "allOf", filters }, true));
}

/** The opposite of a term. */
export function negated(term: Term): Term {
  return termOf(term, false);
}

/** The terms that must all match for this one to match. */
export function partsOf(term: Term): readonly Term[] {
  return term.kind === "allOf" ? term.filters : [term];
}

function termOf(filter: Filter, holds: boolean): Term {
  switch (filter.kind) {
    case "not":
      return termOf(filter.filter, !holds);
    case "anyOf":
    case "allOf": {
      // De Morgan: not any of them is the same as all of their opposites, and the other way round.
      const kind = (filter.kind === "anyOf") === holds ? "anyOf" : "allOf";
      const terms = filter.filters
        .map((each) => termOf(each, holds))
        .flatMap((term) => (term.kind === kind ? term.filters : [term]));
      const [first, ...more] = terms;
      return first !== undefined && more.length === 0 ? first : { kind, filters: terms };
    }
    case "state":
      // There are only two states, so the opposite is the other one, whose total is stored, too.
      return holds ? filter : { kind: "state", state: filter.state === "active" ? "inactive" : "active" };
    case "projectIds": {
      const [id, ...more] = filter.ids;
      const isOne = id !== undefined && more.length === 0;
      return isOne ? termOf({ kind: "projectId", id }, holds) : asIs(filter, holds);
    }
    case "created":
    case "changed": {
      // Outside of a range means before its start or from its end on.
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

/** The single organization, project and state that the filters allow, and the remaining filters. */
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
        // An empty id matches nothing, and two different ids have no common match.
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
