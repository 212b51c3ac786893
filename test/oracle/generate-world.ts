import fc from "fast-check";
import { type Change, thingOf } from "./model/change.ts";
import { administratorRoles, fits } from "./model/permissions.ts";
import type { Scope, State } from "./model/world.ts";

/**
 * Few ids and few letters, so that everything meets everything: ids that order differently by code point, by UTF-16
 * and by a dictionary, and letters that mean something to LIKE, to SQL or to one case only.
 */
export const ids = {
  organizations: ["acme", "Globex", "\u{1d49c}"],
  users: ["ann", "Bob", "\uff43id", "\u{1f600}", "d_e"],
  projects: ["shop", "Shop", "\ufffd"],
  projectGrants: ["g1", "G1", "g_2", "%"],
  roleKeys: ["k", "K", "ä%", "Ä_"],
  authorizations: ["a1", "A1", "a_", "\u{10000}", "\uffee", "a%", "\\", "0", "b", "ä"],
} as const;

/** Owns the instance when a case begins. */
export const root = { userId: "root", organizationId: "home" };

export const callers: readonly string[] = [root.userId, ...ids.users];

const letters = ["a", "A", "ä", "Ä", "σ", "ς", "Σ", "%", "_", "\\", " ", "'", '"', "b", "\u{1f600}"];

export function anyText(minLength: number, maxLength = 4): fc.Arbitrary<string> {
  return fc.array(fc.constantFrom(...letters), { minLength, maxLength }).map((parts) => parts.join(""));
}

/** At times the same as another one, or the same but for its case: lists are sorted by names. */
export function anyName(minLength: number): fc.Arbitrary<string> {
  return oneOf([2, anyText(minLength)], [1, fc.constantFrom("a", "A", "ä", "Ä")]);
}

/** Dates around now, and one in the future, in their order. */
export const dates = [
  "1969-12-31T23:59:59.999999Z",
  "2020-02-29T12:00:00Z",
  "2020-02-29T12:00:00.000001Z",
  "2021-01-01T00:00:00.100Z",
  "2100-01-01T00:00:00Z",
];

/** The later one is the change date; the other way round is refused. */
export function inOrder<Dated extends { creationDate?: string; changeDate?: string }>(dated: Dated): Dated {
  const { creationDate, changeDate } = dated;
  if (creationDate === undefined || changeDate === undefined) return dated;
  if (dates.indexOf(changeDate) >= dates.indexOf(creationDate)) return dated;
  return { ...dated, creationDate: changeDate, changeDate: creationDate };
}

export const anyKeys = fc.subarray([...ids.roleKeys]);
export const anyState = fc.constantFrom<State>("STATE_ACTIVE", "STATE_INACTIVE");
const anyDate = fc.constantFrom(...dates);

/** Each scope with a role that fits it; those that may not change anything are as likely as those that may. */
export const anyEntry: fc.Arbitrary<{ scope: Scope; roles: string[] }> = oneOf(
  [1, fc.constant<Scope>({ instance: true })],
  [3, fc.constantFrom(...ids.organizations).map((id): Scope => ({ organizationId: id }))],
  [3, fc.constantFrom(...ids.projects).map((id): Scope => ({ projectId: id }))],
  [3, fc.constantFrom(...ids.projectGrants).map((id): Scope => ({ projectGrantId: id }))],
).chain((scope) => {
  const fitting = administratorRoles.filter((role) => fits(role, scope));
  return fc.record({ scope: fc.constant(scope), roles: fc.subarray(fitting, { minLength: 1, maxLength: 2 }) });
});

const anyOf = (things: readonly string[]) => fc.constantFrom(...things);

const anyUser = fc.record({
  organizationId: anyOf(ids.organizations),
  preferredLoginName: anyText(1),
  displayName: anyName(0),
  avatarUrl: fc.constantFrom("", "https://pictures.example/1.png"),
});
const anyProject = fc.record({ organizationId: anyOf(ids.organizations), name: anyName(1) });
const anyRole = fc.record({ isThere: mostly(true), displayName: anyText(0), group: anyText(0) });
const anyGrant = fc.record({
  projectId: anyOf(ids.projects),
  organizationId: anyOf(ids.organizations),
  roleKeys: anyKeys,
});
const anyAuthorization = fc
  .record({
    userId: anyOf(ids.users),
    place: fc.nat(30),
    roleKeys: anyKeys,
    state: anyState,
    creationDate: anyDate,
    changeDate: anyDate,
  })
  .map(inOrder);

const numbers = Array.from({ length: 24 }, (_, index) => index);

/** Users with a few dozen entries: on projects of one organization, or on the grants of these; few of them have anything in them. */
const anyEstate = fc.record({
  organizationId: anyOf(ids.organizations),
  granted: anyOf(ids.organizations),
  entries: many(
    fc.record({ userId: anyOf(ids.users), onGrants: fc.boolean(), role: fc.nat(30), from: fc.nat(2) }),
    1,
    3,
  ),
  authorizations: many(
    fc
      .record({
        ...{ userId: anyOf(ids.users), at: fc.constantFrom(...numbers), isGranted: fc.boolean() },
        ...{ state: anyState, creationDate: anyDate, changeDate: anyDate },
      })
      .map(inOrder),
    1,
    6,
  ),
});
type AnyEstate = typeof anyEstate extends fc.Arbitrary<infer One> ? One : never;

const anyPlan = fc.record({
  names: exactly(ids.organizations.length, anyName(1)),
  users: exactly(ids.users.length, anyUser),
  projects: exactly(ids.projects.length, anyProject),
  roles: exactly(ids.projects.length * ids.roleKeys.length, anyRole),
  grants: many(anyGrant, 2, ids.projectGrants.length),
  administrators: many(fc.record({ userId: anyOf(ids.users), entry: anyEntry }), 3, 10),
  authorizations: many(anyAuthorization, 4, ids.authorizations.length),
  estate: oneOf([5, fc.constant(undefined)], [1, anyEstate]),
});

/** The changes that make a world, none of which would be refused. */
export const anyWorld: fc.Arbitrary<Change[]> = anyPlan.map((plan) => {
  const projects = plan.projects.map((project, index) => ({ id: ids.projects[index] ?? "", ...project }));
  const roles = ids.projects
    .flatMap((projectId) => ids.roleKeys.map((key) => ({ projectId, key })))
    .flatMap((role, index) => {
      const { isThere, ...texts } = plan.roles[index] ?? { isThere: false, displayName: "", group: "" };
      return isThere ? [{ ...role, ...texts }] : [];
    });
  const keysOf = (projectId: string) => roles.filter((role) => role.projectId === projectId).map(({ key }) => key);
  const grants = firstOfEach(plan.grants, ({ projectId, organizationId }) => `${projectId} ${organizationId}`)
    .filter((grant) => !projects.some((p) => p.id === grant.projectId && p.organizationId === grant.organizationId))
    .map(({ roleKeys, ...grant }, index) => {
      const keys = roleKeys.filter((key) => keysOf(grant.projectId).includes(key));
      return { id: ids.projectGrants[index] ?? "", ...grant, roleKeys: keys };
    });
  const places = [
    ...grants.map(({ projectId, organizationId, roleKeys }) => ({ projectId, organizationId, keys: roleKeys })),
    ...projects.map(({ id, organizationId }) => ({ projectId: id, organizationId, keys: keysOf(id) })),
  ];
  const authorizations = plan.authorizations.flatMap(({ place: index, roleKeys, ...rest }) => {
    const place = places[index % places.length];
    if (place === undefined) return [];
    const { keys, ...where } = place;
    return [{ ...rest, ...where, roleKeys: roleKeys.filter((key) => keys.includes(key)) }];
  });
  const grantIds = grants.map(({ id }) => id);
  const changes: Change[] = [
    { organization: { id: root.organizationId, name: "Home" } },
    ...plan.names.map((name, index) => ({ organization: { id: ids.organizations[index] ?? "", name } })),
    { user: { id: root.userId, organizationId: "home", preferredLoginName: "root", displayName: "", avatarUrl: "" } },
    ...plan.users.map((user, index) => ({ user: { id: ids.users[index] ?? "", ...user } })),
    ...projects.map((project) => ({ project })),
    ...roles.map((projectRole) => ({ projectRole })),
    ...grants.map((projectGrant) => ({ projectGrant })),
    { administrator: { userId: root.userId, instance: true, roles: ["IAM_OWNER"] } },
    ...plan.administrators
      .filter(({ entry: { scope } }) => !("projectGrantId" in scope) || grantIds.includes(scope.projectGrantId))
      .map(({ userId, entry: { scope, roles: names } }) => ({ administrator: { userId, ...scope, roles: names } })),
    ...firstOfEach(authorizations, (a) => `${a.userId} ${a.projectId} ${a.organizationId}`).map((a, index) => ({
      authorization: { id: ids.authorizations[index] ?? "", ...a },
    })),
    ...(plan.estate === undefined ? [] : estateOf(plan.estate)),
  ];
  return firstOfEach(changes, thingOf);
});

function estateOf({ organizationId, granted, entries, authorizations }: AnyEstate): Change[] {
  const isGranted = granted !== organizationId;
  const assigned = authorizations.map(({ at, isGranted: isGuest, ...rest }) => ({
    ...{ projectId: `c${at}`, organizationId: isGranted && isGuest ? granted : organizationId, roleKeys: [] },
    ...rest,
  }));
  return [
    ...numbers.map((at) => ({ project: { id: `c${at}`, organizationId, name: `C${at % 5}` } })),
    ...numbers
      .filter(() => isGranted)
      .map((at) => ({ projectGrant: { id: `d${at}`, projectId: `c${at}`, organizationId: granted, roleKeys: [] } })),
    ...entries.flatMap(({ userId, onGrants, role, from }) =>
      numbers.slice(from).map((at) => {
        const scope = onGrants && isGranted ? { projectGrantId: `d${at}` } : { projectId: `c${at}` };
        const fitting = administratorRoles.filter((name) => fits(name, scope));
        return { administrator: { userId, ...scope, roles: [fitting[role % fitting.length] ?? ""] } };
      }),
    ),
    ...firstOfEach(assigned, (a) => `${a.userId} ${a.projectId} ${a.organizationId}`).map((a, index) => ({
      authorization: { id: `c${index}`, ...a },
    })),
  ];
}

function firstOfEach<T>(all: readonly T[], keyOf: (one: T) => string): T[] {
  const seen = new Set<string>();
  return all.filter((one) => !seen.has(keyOf(one)) && seen.add(keyOf(one)));
}

type Weighted = readonly [weight: number, arbitrary: fc.Arbitrary<unknown>];
type Chosen<Some extends Weighted[]> = {
  [At in keyof Some]: Some[At] extends readonly [number, fc.Arbitrary<infer One>] ? One : never;
}[number];

/** One of several, each as often as its weight says. */
export function oneOf<Some extends Weighted[]>(...some: Some): fc.Arbitrary<Chosen<Some>> {
  return fc.oneof(...some.map(([weight, arbitrary]) => ({ weight, arbitrary }))) as fc.Arbitrary<Chosen<Some>>;
}

/** The same in a field of that name. */
export function as<Name extends string, T>(name: Name, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Record<Name, T>> {
  return arbitrary.map((value) => ({ [name]: value }) as Record<Name, T>);
}

/** True or not, the one four times as often as the other. */
export function mostly(usual: boolean): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: 4 }).map((roll) => (roll > 0 ? usual : !usual));
}

function exactly<T>(count: number, one: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(one, { minLength: count, maxLength: count });
}

function many<T>(one: fc.Arbitrary<T>, minLength: number, maxLength: number): fc.Arbitrary<T[]> {
  return fc.array(one, { minLength, maxLength, size: "max" });
}
