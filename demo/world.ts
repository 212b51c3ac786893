/** The world a newcomer sees first: some companies, the software they share, and who may do what with it. */
import { companies, projects } from "./companies.ts";
import { type Dice, diceOf } from "./dice.ts";
import { type Culture, type CultureName, cast, cultures } from "./people.ts";

/** A `service.directory.v1.Change` as JSON, without removals. */
export type ChangeJson =
  | { organization: { id: string; name: string } }
  | { project: { id: string; organizationId: string; name: string } }
  | { projectRole: { projectId: string; key: string; displayName: string; group: string } }
  | { projectGrant: Grant }
  | { user: User }
  | { administrator: Administrator }
  | { authorization: Authorization };

interface Grant {
  id: string;
  projectId: string;
  organizationId: string;
  roleKeys: string[];
}

interface User {
  id: string;
  organizationId: string;
  preferredLoginName: string;
  displayName: string;
  avatarUrl: string;
}

type Scope = { instance: true } | { organizationId: string } | { projectId: string } | { projectGrantId: string };

type Administrator = { userId: string } & Scope & { roles: string[] };

interface Authorization {
  id: string;
  userId: string;
  projectId: string;
  organizationId: string;
  roleKeys: string[];
  state: "STATE_ACTIVE" | "STATE_INACTIVE";
  creationDate: string;
}

/** Ids of the users the first start prints tokens for: they see everything, what is in Acme, and their own. */
export const demoCallers = { instanceOwner: "carol", organizationOwner: "ann", plainUser: "bob" };

/** Administrators on every other level, and viewers: what each may do, and the entry that gives it. */
export const demoLevels: readonly { title: string; entry: Scope & { roles: readonly string[] } }[] = [
  { title: "sees everything and changes nothing", entry: { instance: true, roles: ["IAM_OWNER_VIEWER"] } },
  { title: "sees what is in Acme", entry: { organizationId: "acme", roles: ["ORG_OWNER_VIEWER"] } },
  { title: "owns the project Shop", entry: { projectId: "shop", roles: ["PROJECT_OWNER"] } },
  { title: "sees what is in the Shop", entry: { projectId: "shop", roles: ["PROJECT_OWNER_VIEWER"] } },
  {
    title: "owns the grant of the Shop to Globex",
    entry: { projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER"] },
  },
  {
    title: "sees what is on that grant",
    entry: { projectGrantId: "shop-to-globex", roles: ["PROJECT_GRANT_OWNER_VIEWER"] },
  },
];

/** The people on these levels, in the same order. */
export function demoAdministrators(): { userId: string; title: string }[] {
  const entries = [...demoWorld()].flatMap((change) => ("administrator" in change ? [change.administrator] : []));
  return demoLevels.map(({ title, entry }) => {
    const found = entries.find(({ userId, ...its }) => JSON.stringify(its) === JSON.stringify(entry));
    if (found === undefined) throw new Error(`No one in the demo world ${title}`);
    return { userId: found.userId, title };
  });
}

const authorizationCount = 10_000;
const firstDay = Date.UTC(2023, 0, 1);
const lastDay = Date.UTC(2026, 0, 1);

/** Ann sells in Acme's shop; Bob audits it at Globex, because Acme granted it. */
const shopToGlobex = ["auditor", "seller"];
const story = [
  { userId: "ann", projectId: "shop", organizationId: "acme", roleKeys: ["seller"] },
  { userId: "bob", projectId: "shop", organizationId: "globex", roleKeys: ["auditor"] },
  { userId: "bob", projectId: "intranet", organizationId: "globex", roleKeys: ["employee", "room-manager"] },
  { userId: "bob", projectId: "wiki", organizationId: "globex", roleKeys: ["reader"] },
  { userId: "bob", projectId: "helpdesk", organizationId: "globex", roleKeys: ["reporter"] },
  { userId: "carol", projectId: "console", organizationId: "cloud", roleKeys: ["operator", "security-officer"] },
];
const inStory = new Set(cast.flatMap(({ id }) => id ?? []));

/** Every thing once, what others refer to first; the same on every call and every machine. */
export function* demoWorld(): Generator<ChangeJson> {
  const dice = diceOf(2026);
  const grants = grantsOf(dice);
  const users = usersOf(dice);

  for (const { id, name } of companies) yield { organization: { id, name } };
  for (const { id, owner, name } of projects) yield { project: { id, organizationId: owner, name } };
  for (const { id, roles } of projects) {
    for (const [group, keys] of Object.entries(roles)) {
      for (const key of keys) yield { projectRole: { projectId: id, key, displayName: sentence(key), group } };
    }
  }
  for (const projectGrant of grants) yield { projectGrant };
  for (const user of users) yield { user };
  for (const administrator of administratorsOf(users, grants)) yield { administrator };
  for (const authorization of authorizationsOf(users, grants, dice)) yield { authorization };
}

function grantsOf(dice: Dice): Grant[] {
  return companies.flatMap(({ id: organizationId, uses }) =>
    uses.map((projectId) => {
      const id = `${projectId}-to-${organizationId}`;
      const keys = keysOf(projectId);
      const some = [...keys.slice(0, 1), ...dice.sample(keys.slice(1), 1 + dice.below(keys.length - 1))].sort();
      return { id, projectId, organizationId, roleKeys: id === "shop-to-globex" ? shopToGlobex : some };
    }),
  );
}

function usersOf(dice: Dice): User[] {
  const namesakes = new Map<string, number>();
  const everywhere = Object.keys(cultures) as CultureName[];

  return companies.flatMap(({ id: organizationId, staff, culture }) => {
    const known = cast.filter((person) => person.organizationId === organizationId);
    const users = known.map(({ given, family, id }) => user(given, family, `${given} ${family}`, id));
    while (users.length < staff) {
      const home: Culture = cultures[culture && dice.chance(0.7) ? culture : dice.pick(everywhere)];
      const [given = "", givenInLatin = given] = dice.pick(home.given).split("/");
      const [family = "", familyInLatin = family] = dice.pick(home.family).split("/");
      const displayName = home.familyFirst ? `${family} ${given}` : `${given} ${family}`;
      users.push(user(givenInLatin, familyInLatin, displayName));
    }
    return users;

    function user(given: string, family: string, displayName: string, knownId?: string): User {
      const name = `${plain(given)}-${plain(family)}`;
      const count = (namesakes.get(name) ?? 0) + 1;
      namesakes.set(name, count);
      const id = knownId ?? (count === 1 ? name : `${name}-${count}`);
      const mailbox = name.replace("-", ".") + (count === 1 ? "" : count);
      return {
        id,
        organizationId,
        preferredLoginName: `${mailbox}@${organizationId}.example`,
        displayName,
        avatarUrl: dice.chance(0.15) ? `https://avatars.${organizationId}.example/${id}.png` : "",
      };
    }
  });
}

function* administratorsOf(users: User[], grants: Grant[]): Generator<Administrator> {
  const others = users.filter(({ id }) => !inStory.has(id));

  yield { userId: demoCallers.instanceOwner, instance: true, roles: ["IAM_OWNER"] };
  yield { userId: "dave", instance: true, roles: ["IAM_OWNER_VIEWER"] };
  yield { userId: someoneOf("cloud"), instance: true, roles: ["IAM_ORG_MANAGER", "IAM_USER_MANAGER"] };
  yield { userId: someoneOf("cloud"), instance: true, roles: ["IAM_LOGIN_CLIENT"] };
  for (const { id } of companies) {
    const owner = id === "acme" ? demoCallers.organizationOwner : someoneOf(id);
    yield { userId: owner, organizationId: id, roles: ["ORG_OWNER"] };
    yield { userId: someoneOf(id), organizationId: id, roles: ["ORG_USER_MANAGER", "ORG_USER_PERMISSION_EDITOR"] };
    yield { userId: someoneOf(id), organizationId: id, roles: ["ORG_OWNER_VIEWER"] };
  }
  for (const { id, owner } of projects) {
    yield { userId: someoneOf(owner), projectId: id, roles: ["PROJECT_OWNER"] };
    yield { userId: someoneOf(owner), projectId: id, roles: ["PROJECT_OWNER_VIEWER"] };
  }
  for (const { id, organizationId } of grants) {
    yield { userId: someoneOf(organizationId), projectGrantId: id, roles: ["PROJECT_GRANT_OWNER"] };
    yield { userId: someoneOf(organizationId), projectGrantId: id, roles: ["PROJECT_GRANT_OWNER_VIEWER"] };
  }
  for (const { id } of companies) {
    yield { userId: someoneOf(id), organizationId: id, roles: ["ORG_PROJECT_PERMISSION_EDITOR"] };
  }
  for (const { id, owner } of projects) {
    yield { userId: someoneOf(owner), projectId: id, roles: ["PROJECT_OWNER_GLOBAL"] };
  }

  /** Nobody is an administrator twice, so that each of them sees something different. */
  function someoneOf(organizationId: string): string {
    const index = others.findIndex((user) => user.organizationId === organizationId);
    const [someone] = others.splice(index, 1);
    if (index < 0 || !someone) throw new Error(`Everybody in ${organizationId} is an administrator already`);
    return someone.id;
  }
}

function* authorizationsOf(users: User[], grants: Grant[], dice: Dice): Generator<Authorization> {
  const owned = projects.map(({ id, owner }) => ({ projectId: id, organizationId: owner, roleKeys: keysOf(id) }));
  const usable = [...owned, ...grants];
  const others = users.filter(({ id }) => !inStory.has(id));
  const step = (lastDay - firstDay) / authorizationCount;
  const taken = new Set<string>();
  let count = 0;

  for (const told of story) yield dated(told);
  while (count < authorizationCount) {
    const user = dice.pick(others);
    // Now and then a company lets somebody of another one in.
    const organizationId = dice.chance(0.03) ? dice.pick(companies).id : user.organizationId;
    const { projectId, roleKeys } = dice.pick(usable.filter((project) => project.organizationId === organizationId));
    const combination = `${user.id} ${projectId} ${organizationId}`;
    if (taken.has(combination)) continue;
    taken.add(combination);
    const howMany = dice.pick([0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 4, 4]);
    yield dated({ userId: user.id, projectId, organizationId, roleKeys: dice.sample(roleKeys, howMany) });
  }

  /** Ids follow the creation dates. None has a change date, because an import adds no event for one. The story stays active. */
  function dated(assignment: (typeof story)[number]): Authorization {
    const created = firstDay + Math.floor(step * count) + dice.below(Math.floor(step));
    const inactive = dice.chance(0.05) && !inStory.has(assignment.userId);
    // These rolls decide nothing any more. Without them, everything that follows would differ from the docs' examples.
    if (inactive || dice.chance(0.2)) dice.below(lastDay - created);
    count += 1;
    return {
      id: `a-${String(count).padStart(5, "0")}`,
      ...assignment,
      state: inactive ? "STATE_INACTIVE" : "STATE_ACTIVE",
      creationDate: timestamp(created),
    };
  }
}

function keysOf(projectId: string): string[] {
  return projects.filter(({ id }) => id === projectId).flatMap(({ roles }) => Object.values(roles).flat());
}

/** "price-manager" → "Price manager" */
function sentence(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1).replaceAll("-", " ");
}

/** "Łuczak" → "luczak" */
function plain(name: string): string {
  const letters: Record<string, string> = { đ: "d", ı: "i", ł: "l", ø: "o", ß: "ss", þ: "th" };
  const folded = name
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase();
  return folded.replace(/[^a-z]/g, (letter) => letters[letter] ?? "");
}

/** As the protobuf JSON mapping prints it. */
function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(".000Z", "Z");
}
