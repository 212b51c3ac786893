import type { Authorization } from "@authorization-service/client";
import { OffboardUserRequest_Mode as Mode, type OffboardUserResponse } from "@authorization-service/client/directory";
import { placeName } from "../changes/assignment-name.ts";
import { placeKey } from "../changes/offered-roles.ts";
import { placeOf } from "../directory-changes/entry-place.ts";
import { nameOf } from "../parts/role-chips.tsx";
import { administratorRole } from "../words/administrator-roles.ts";
import { offboardWords as words } from "../words/offboard.ts";

/** Something that the person holds: what it is, where it is, its roles, and what happens to it. */
export type Row = {
  readonly stays: boolean;
  readonly cells: readonly [what: string, where: string, roles: string, happens: string];
};

const { happens } = words;
const row = (stays: boolean, ...cells: Row["cells"]): Row => ({ stays, cells });

/** Everything that goes or stays, as a dry run says it. The assignments say which roles they have. */
export function rowsOf(answer: OffboardUserResponse, assignments: readonly Authorization[], mode: Mode): Row[] {
  const suspends = mode === Mode.SUSPEND;
  const rolesIn = new Map(assignments.map((held) => [placeKey(held), held.roles.map(nameOf).join(", ")]));
  const { places, administrators, keptAdministrators, tokens, tokensForOthers, unlisted } = answer;
  const entries = (some: typeof administrators, stays: boolean) =>
    some.map(({ scope, roles }) => {
      const held = roles.map(administratorRole).join(", ");
      return row(stays, words.administrator, placeOf(scope)?.name ?? "", held, stays ? happens.kept : happens.removed);
    });
  const taken = suspends ? happens.deactivated : happens.deleted;
  const found = [
    ...places.flatMap(({ project, organization, ...counts }) =>
      (["taken", "kept"] as const).map((kind) => {
        const where = project ? placeName({ project, organization }) : words.morePlaces(counts[kind]);
        const roles = rolesIn.get(placeKey({ project, organization })) ?? "";
        const stays = kind === "kept";
        return counts[kind] > 0 && row(stays, words.assignment, where, roles, stays ? happens.kept : taken);
      }),
    ),
    ...entries(administrators, false),
    ...entries(keptAdministrators, true),
    tokens > 0 && row(false, words.token, words.own(tokens), "", happens.revoked),
    tokensForOthers > 0 && row(true, words.token, words.forOthers(tokensForOthers), "", happens.othersTokens),
    ...(["authorizations", "administrators", "tokens"] as const).map((kind) => {
      const count = unlisted?.[kind] ?? 0;
      const what = suspends ? happens.hidden : happens.removed;
      return count > 0 && row(suspends, words.elsewhere, words.unlisted[kind](count), "", what);
    }),
  ];
  return found.filter((one) => one !== false);
}
