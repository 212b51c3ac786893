import { type Authorization, type Role, State } from "@authorization-service/client";
import type { User } from "@authorization-service/client/directory";
import { isNew, newRow, slotOf } from "../changes/new-row.ts";
import { placeOf } from "../changes/offered-roles.ts";
import { keysOf } from "../changes/role-difference.ts";
import { locale } from "../words/language/language.ts";

/** What two people have for a project in an organization. */
export type Difference = {
  readonly from: Authorization | undefined;
  /** The other person's assignment there, or a new one. */
  readonly to: Authorization;
  readonly onlyFrom: readonly Role[];
  readonly onlyTo: readonly Role[];
  readonly both: readonly Role[];
};

/** Both people's roles by place, sorted by name. Places where they differ come first. */
export function differencesOf(from: readonly Authorization[], to: readonly Authorization[], other: User): Difference[] {
  const keyOf = (row: Authorization) => JSON.stringify(placeOf(row));
  const froms = new Map(from.map((row) => [keyOf(row), row]));
  const tos = new Map(to.map((row) => [keyOf(row), row]));
  return [...new Map([...froms, ...tos]).entries()]
    .map(([key, some]) => {
      const place = {
        project: some.project ?? { ...unknown, organizationId: "" },
        organization: some.organization ?? unknown,
      };
      return differenceOf(froms.get(key), tos.get(key) ?? newRow(other, place));
    })
    .sort((one, another) => Number(isSame(one)) - Number(isSame(another)) || compare(nameOf(one), nameOf(another)));
}

export function isSame({ onlyFrom, onlyTo, from, to }: Difference): boolean {
  return onlyFrom.length + onlyTo.length === 0 && from !== undefined && !isNew(to) && isActive(from) === isActive(to);
}

/** Whether the roles count: those of inactive assignments, and of assignments that have ended, don't. */
export function isActive({ state }: Authorization): boolean {
  return state === State.ACTIVE;
}

/** Identifies a role in a place. */
export function choiceOf({ to }: Difference, { key }: Pick<Role, "key">): string {
  return JSON.stringify([slotOf(to), key]);
}

const unknown = { id: "", name: "" };
const { compare } = new Intl.Collator(locale, { numeric: true });

function nameOf({ to: { organization, project } }: Difference): string {
  return `${organization?.name} ${project?.name}`;
}

function differenceOf(from: Authorization | undefined, to: Authorization): Difference {
  const [held, others] = [from ? keysOf(from) : new Set<string>(), keysOf(to)];
  return {
    from,
    to,
    onlyFrom: from?.roles.filter(({ key }) => !others.has(key)) ?? [],
    onlyTo: to.roles.filter(({ key }) => !held.has(key)),
    both: to.roles.filter(({ key }) => held.has(key)),
  };
}
