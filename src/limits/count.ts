/** A caller or an address. Undefined for a trusted proxy, whose requests are those of many: it has no part of its own. */
export type Holder = string | undefined;

/** Something of which everyone together may hold a total, and each holder a part. */
export function countOf(total: number) {
  const held = new Map<string, number>();
  let all = 0;
  return {
    /** What a holder would exceed with that much more; undefined if neither. */
    exceeded(holder: Holder, amount: number, part = total): "total" | "part" | undefined {
      if (holder !== undefined && (held.get(holder) ?? 0) + amount > part) return "part";
      return all + amount > total ? "total" : undefined;
    },
    /** Counts that much more, or less if it is negative. */
    add(holder: Holder, amount: number): void {
      all += amount;
      if (holder === undefined) return;
      const after = (held.get(holder) ?? 0) + amount;
      if (after > 0) held.set(holder, after);
      else held.delete(holder);
    },
  };
}
