import { rolesWords as words } from "../words/assignment-changes.ts";

/** The difference between two sets of roles, by key. */
export type RoleDifference = { readonly added: readonly string[]; readonly removed: readonly string[] };

export function differenceOf(held: ReadonlySet<string>, wanted: ReadonlySet<string>): RoleDifference {
  return { added: without(wanted, held).toSorted(), removed: without(held, wanted).toSorted() };
}

/** The same difference, applied to the roles after someone else's change. */
export function appliedTo(now: ReadonlySet<string>, { added, removed }: RoleDifference): ReadonlySet<string> {
  return new Set(without(new Set([...now, ...added]), new Set(removed)));
}

function without(keys: ReadonlySet<string>, others: ReadonlySet<string>): string[] {
  return [...keys].filter((key) => !others.has(key));
}

export function keysOf({ roles }: { roles: readonly { key: string }[] }): ReadonlySet<string> {
  return new Set(roles.map(({ key }) => key));
}

export function isNoDifference({ added, removed }: RoleDifference): boolean {
  return added.length + removed.length === 0;
}

/** Such as `adds Seller; removes Auditor, Buyer`. */
export function sentenceOf({ added, removed }: RoleDifference, nameOfKey: (key: string) => string): string {
  const parts = [[words.adds, added] as const, [words.removes, removed] as const];
  return parts
    .filter(([, keys]) => keys.length > 0)
    .map(([verb, keys]) => `${verb} ${keys.map(nameOfKey).join(", ")}`)
    .join("; ");
}
