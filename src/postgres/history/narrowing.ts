import type { Instant } from "../../authorization/authorization.ts";
import type { HistoryFilter } from "../../authorization/history.ts";

/** From a time on, and before another one. */
export type TimeRange = { readonly from?: Instant | undefined; readonly to?: Instant | undefined };

/** All filters of a history combined. */
export type Narrowing<Id extends string, Type extends string> = TimeRange & {
  /** The ids of each kind of filter. */
  readonly ids: ReadonlyMap<Id, readonly string[]>;
  /** Empty for the command line. */
  readonly actorId?: string | undefined;
  readonly types?: readonly Type[] | undefined;
};

/**
 * Undefined if nothing can match: an empty id, two different ids, or types without overlap. Only an actor may have an
 * empty id.
 *
 * @param several the kind of filter that an event can match with several ids
 */
export function narrow<Id extends string, Type extends string>(
  filters: readonly HistoryFilter<Id, Type>[],
  several?: Id,
): Narrowing<Id, Type> | undefined {
  const ids = new Map<Id, string[]>();
  let actorId: string | undefined;
  let types: readonly Type[] | undefined;
  let [from, to]: (Instant | undefined)[] = [];
  for (const filter of filters) {
    if ("types" in filter) {
      types = (types ?? filter.types).filter((type) => filter.types.includes(type));
      if (types.length === 0) return undefined;
    } else if ("range" in filter) {
      const { range } = filter;
      if (from === undefined || (range.from !== undefined && range.from > from)) from = range.from;
      if (to === undefined || (range.to !== undefined && range.to < to)) to = range.to;
    } else if (filter.kind === "actorId") {
      if ((actorId ?? filter.id) !== filter.id) return undefined;
      actorId = filter.id;
    } else {
      const { id } = filter;
      const kind = filter.kind as Id;
      const known = ids.get(kind) ?? [];
      if (id === "" || (kind !== several && known.some((other) => other !== id))) return undefined;
      ids.set(kind, [...new Set([...known, id])]);
    }
  }
  return { ids, actorId, types, from, to };
}

export function idsIn<Id extends string>({ ids }: Pick<Narrowing<Id, never>, "ids">, kind: Id): readonly string[] {
  return ids.get(kind) ?? [];
}
