import type { Authorization } from "@authorization-service/client";
import { OffboardUserRequest_Mode as Mode, type OffboardUserResponse } from "@authorization-service/client/directory";
import { placeName } from "../changes/assignment-name.ts";
import { placeKey } from "../changes/offered-roles.ts";
import { placeOf } from "../directory-changes/entry-place.ts";
import { nameOf } from "../parts/role-chips.tsx";
import { administratorRole } from "../words/administrator-roles.ts";
import { offboardWords as words } from "../words/offboard.ts";

/** Something that the person holds. */
export type Row = {
  readonly stays: boolean;
  /** What it is, where it is, its roles, and what happens to it. */
  readonly cells: readonly [what: string, where: string, roles: string, happens: string];
};

const { happens } = words;

/** Everything that goes or stays, as a dry run says it. The assignments say which roles they have. */
export function rowsOf(answer: OffboardUserResponse, assignments: readonly Authorization[], mode: Mode): Row[] {
  const suspends = mode === Mode.SUSPEND;
  const rolesIn = new Map(assignments.map((row) => [placeKey(row), row.roles.map(nameOf).join(", ")]));
  const { places, administrators, keptAdministrators, tokens, tokensForOthers, unlisted } = answer;
  const row = (stays: boolean, ...cells: Row["cells"]): Row => ({ stays, cells });
  const entries = (some: typeof administrators, stays: boolean) =>
    some.map(({ scope, roles }) =>
      row(
        stays,
        words.administrator,
        placeOf(scope)?.name ?? "",
        roles.map(administratorRole).join(", "),
        stays ? happens.kept : happens.removed,
      ),
    );
  const place = ({ project, organization }: (typeof places)[number], count: number, what: string, stays: boolean) => {
    if (count === 0) return [];
    const where = project ? placeName({ project, organization }) : words.morePlaces(count);
    return [row(stays, words.assignment, where, rolesIn.get(placeKey({ project, organization })) ?? "", what)];
  };
  return [
    ...places.flatMap((one) => [
      ...place(one, one.taken, suspends ? happens.deactivated : happens.deleted, false),
      ...place(one, one.kept, happens.kept, true),
    ]),
    ...entries(administrators, false),
    ...entries(keptAdministrators, true),
    ...(tokens > 0 ? [row(false, words.token, words.own(tokens), "", happens.revoked)] : []),
    ...(tokensForOthers > 0
      ? [row(true, words.token, words.forOthers(tokensForOthers), "", happens.othersTokens)]
      : []),
    ...(["authorizations", "administrators", "tokens"] as const).flatMap((kind) => {
      const count = unlisted?.[kind] ?? 0;
      const what = suspends ? happens.hidden : happens.removed;
      return count === 0 ? [] : [row(suspends, words.elsewhere, words.unlisted[kind](count), "", what)];
    }),
  ];
}
