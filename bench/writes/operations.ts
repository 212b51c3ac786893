import path from "node:path";
import type { Caller } from "../../src/authorization/permissions.ts";
import { Refusal } from "../../src/authorization/refusal.ts";
import type { Outcome } from "../../src/authorization/steps.ts";
import type { PlacedChange } from "../../src/directory/change.ts";
import type { Change, Operation, Query } from "./side.ts";

/** What is changed, and by whom: the owner of the largest organization. */
export type Subject = {
  readonly caller: Caller;
  /** A thousand active assignments in that organization: what is changed often is in memory, on every side. */
  readonly ids: readonly string[];
  /** A project of that organization, and users who have no assignment there. */
  readonly projectId: string;
  readonly organizationId: string;
  readonly users: readonly string[];
};

export async function findSubject(query: Query): Promise<Subject> {
  const [place] = await query<{ projectId: string; organizationId: string }>(selectPlace);
  if (place === undefined) throw new Error("the world has no largest organization");
  const { projectId, organizationId } = place;
  const ids = await query<{ id: string }>(selectIds, [organizationId]);
  const users = await query<{ id: string }>(selectUsers, [organizationId, projectId]);
  const caller: Caller = {
    userId: users[0]?.id ?? "",
    entries: [{ scope: { kind: "organization", id: organizationId }, roles: ["ORG_OWNER"] }],
  };
  return { caller, ids: ids.map(({ id }) => id), projectId, organizationId, users: users.map(({ id }) => id) };
}

type Means = { readonly change: Change; apply(changes: readonly PlacedChange[]): Promise<unknown> };

/** What the RPCs of a checkout do, without HTTP. Each call is effective: it finds what it would not leave as it is. */
export async function operationsOn(
  folder: string,
  { caller, ids, projectId, organizationId, users }: Subject,
  { change, apply }: Means,
): Promise<Record<Operation, (assignments: number) => Promise<void>>> {
  const load = <Module>(file: string) => import(path.resolve(folder, "src/authorization", file)) as Promise<Module>;
  const { createAuthorizations } =
    await load<typeof import("../../src/authorization/create-authorizations.ts")>("create-authorizations.ts");
  const { updateAuthorizations } =
    await load<typeof import("../../src/authorization/update-authorizations.ts")>("update-authorizations.ts");
  const { setStates } = await load<typeof import("../../src/authorization/set-states.ts")>("set-states.ts");
  const { deleteAuthorizations } =
    await load<typeof import("../../src/authorization/delete-authorizations.ts")>("delete-authorizations.ts");

  const created: string[] = [];
  const run = Date.now();
  let made = 0;
  const newOnes = (count: number) =>
    Array.from({ length: count }, () => {
      made += 1;
      const id = `written-${run}-${made}`;
      created.push(id);
      return {
        id,
        userId: users[made % users.length] ?? "",
        projectId,
        organizationId,
        roleKeys: ["editor", "viewer"],
        ending: undefined,
      };
    });
  let turns = 0;
  /** Those in each state; the first of a line have waited longest. */
  const lines = { active: [...ids], inactive: [] as string[] };
  const named = (some: readonly string[]) => some.map((id) => ({ id, unchangedSince: undefined }));

  return {
    async create(count) {
      const wanted = newOnes(count);
      requireDone(await change((on) => createAuthorizations(on, caller, wanted)));
    },
    async update(count) {
      const updates = Array.from({ length: count }, () => {
        const [round, place] = [Math.floor(turns / ids.length), turns % ids.length];
        turns += 1;
        const roleKeys = roleSets[round % roleSets.length] ?? [];
        return { id: ids[place] ?? "", unchangedSince: undefined, roleKeys, ending: undefined };
      });
      requireDone(await change((on) => updateAuthorizations(on, caller, updates)));
    },
    async setState(count) {
      const state = lines.active.length >= count ? "inactive" : "active";
      const some = lines[state === "active" ? "inactive" : "active"].splice(0, count);
      lines[state].push(...some);
      requireDone(await change((on) => setStates(on, caller, state, named(some))));
    },
    async delete(count) {
      const some = named(created.splice(0, count));
      requireDone(await change((on) => deleteAuthorizations(on, caller, some)));
    },
    async import(count) {
      const things = newOnes(count).map((one) => ({ kind: "authorization" as const, ...one, ...unsaid }));
      await apply(things.map((thing, position) => ({ position, change: thing })));
    },
  };
}

const unsaid = {
  ...{ state: undefined, creationDate: undefined, changeDate: undefined },
  ...{ expirationDate: undefined, expired: false },
};

/** The assignments that are changed begin with other ones. */
const roleSets = [
  ["approver", "viewer"],
  ["editor", "owner"],
];

function requireDone(outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) {
    if (outcome instanceof Error) throw outcome;
    if (!(outcome instanceof Refusal) && !outcome.changed)
      throw new Error("a change that was measured changed nothing");
  }
}

const selectPlace = `
  select project_id as "projectId", organization_id as "organizationId"
  from authorizations
  where organization_id = (select id from bench.organizations where number = 0) and project_grant_id = ''
  group by project_id, organization_id
  order by count(*) desc
  limit 1`;

const selectIds = `
  select id from authorizations a
  where organization_id = $1 and state = 'active'
    and not exists (select from authorization_roles where authorization_id = a.id and role_key = 'approver')
  order by md5(id)
  limit 1000`;

const selectUsers = `
  select id from users u
  where not exists (
    select from authorizations where user_id = u.id and organization_id = $1 and project_id = $2)
  order by md5(id)
  limit 15000`;
