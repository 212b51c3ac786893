import { diceOf } from "../../demo/dice.ts";
import { compareTexts } from "../oracle/model/world.ts";
import { fieldOnPage, rolesOnPage } from "./permissions-page.ts";

/**
 * A world of a few hundred authorizations in which everything is odd that may be odd: ids in both cases, beyond
 * ASCII and beyond the first 65,536 characters, names made of what LIKE gives a meaning, empty names, many
 * equal dates, users in organizations that have nothing to do with the project.
 */
export function mixedWorld(): object[] {
  const dice = diceOf(20_241_120);
  const organizations = ["acme", "Acme", "Ärger", "org%_\\'", "～full", "𝒪rg", "zeta"];
  const names = ["Acme", "ÄRGER", "100%", "a_b", "back\\slash", "O'Neil", "ΟΔΟΣ"];
  const administrators = administratorsOf(organizations);
  const userIds = [
    ...["plain", "without", "Zoë", "zoe", "ZOE", "u%", "u_", "u\\", "u'", "～", "😀", "ß", "Ω", "ω", "{a,b}", "NULL"],
    ...new Set(administrators.map((entry) => entry.userId)),
  ];
  const places = placesOf(organizations);
  return [
    ...organizations.map((id, index) => ({ organization: { id, name: names[index] } })),
    ...userIds.map((id, index) => ({
      user: {
        id,
        organizationId: dice.pick(organizations),
        preferredLoginName: `${loginNames[index % loginNames.length]}${index % 3 === 0 ? "" : `@${id}`}`,
        displayName: displayNames[index % displayNames.length],
        avatarUrl: index % 4 === 0 ? `https://pictures.example/${index}.png?size=1&%C3%A4` : "",
      },
    })),
    ...projects.map(({ owner, ...project }) => ({
      project: { id: project.id, organizationId: organizations[owner], name: project.name },
    })),
    ...projects.flatMap(({ id, keys }) => keys.map((key) => roleLine(id, key))),
    ...places
      .filter((place) => place.grantId !== "")
      .map(({ grantId, projectId, organizationId, keys }) => ({
        projectGrant: { id: grantId, projectId, organizationId, roleKeys: keys },
      })),
    ...administrators.map((administrator) => ({ administrator })),
    ...userIds
      .filter((id) => id !== "without")
      .flatMap((userId) => places.map((place) => ({ userId, ...place })))
      .filter(() => dice.chance(0.6))
      .map(({ userId, projectId, organizationId, keys }, index) => ({
        authorization: {
          id: `${dice.pick(idBeginnings)}${index}`,
          userId,
          projectId,
          organizationId,
          roleKeys: dice.sample(keys, dice.below(keys.length + 1)),
          state: dice.chance(0.3) ? "STATE_INACTIVE" : "STATE_ACTIVE",
          creationDate: dice.pick(creationDates),
          changeDate: dice.pick(changeDates),
        },
      })),
  ];
}

const loginNames = ["Ärger", "ÄRGER", "ärger", "100%", "100 percent", "a_b", "aXb", "a\\b", "o'neil", "οδοσ", "ΟΔΟΣ"];
const displayNames = [
  "",
  "Straße",
  "STRASSE",
  "%",
  "_",
  "\\",
  "''",
  "Ørsted Ñandú",
  "ørsted ñandÚ",
  "😀 Smile",
  "Σ",
  "",
];
const idBeginnings = ["a", "A", "b%", "_", "\\", "ä", "Ä", "～", "😀", "𝒪", "'", "{", "null"];
const creationDates = [
  "0001-01-01T00:00:00Z",
  "1969-12-31T23:59:59.999999Z",
  "2024-01-01T00:00:00Z",
  "2024-01-01T00:00:00.000001Z",
  "2024-01-01T00:00:00.100Z",
  "2024-01-01T00:00:00.100100Z",
];
const changeDates = ["2024-02-01T00:00:00Z", "2024-02-01T00:00:00.010Z", "9999-12-30T23:59:59.999999Z"];

const projects = [
  { id: "shop", owner: 0, name: "Shop", keys: ["seller", "Seller", "SELLER", "ÄRZTIN", "ärztin"] },
  { id: "Shop", owner: 1, name: "SHOP 100%", keys: ["%", "_", "\\", "a%b", "aXb"] },
  { id: "Ä", owner: 2, name: "Ärztehaus", keys: ["～", "😀", "z", "𝒪", "ä"] },
  { id: "～p", owner: 4, name: "under_score", keys: [] },
  { id: "😀p", owner: 5, name: "back\\slash", keys: ["only'one"] },
];

type Place = { projectId: string; organizationId: string; grantId: string; keys: readonly string[] };

/** Each project where it is owned, and in two other organizations with some of its keys. */
function placesOf(organizations: readonly string[]): Place[] {
  return projects.flatMap(({ id, owner, keys }) =>
    [0, 1, 3].map((step) => ({
      projectId: id,
      organizationId: organizations[(owner + step) % organizations.length] ?? "",
      grantId: step === 0 ? "" : `${id}-grant-${step}`,
      keys: step === 0 ? keys : keys.slice(0, 5 - step),
    })),
  );
}

type Entry = { userId: string; roles: string[] } & Record<string, unknown>;

function administratorsOf([acme, Acme, arger, odd]: readonly string[]): Entry[] {
  const scopes = { instance: true, organizationId: Acme, projectId: "shop", projectGrantId: "shop-grant-1" };
  return [
    ...[...rolesOnPage.keys()].map((role) => entry(role, { [fieldOnPage(role)]: scopes[fieldOnPage(role)] }, role)),
    ...[acme, arger, odd].map((organizationId) => entry("many organizations", { organizationId }, "ORG_OWNER_VIEWER")),
    entry("several entries", { organizationId: arger }, "ORG_OWNER", "ORG_OWNER_VIEWER"),
    entry("several entries", { projectId: "Ä" }, "PROJECT_OWNER_VIEWER"),
    entry("several entries", { projectId: "Shop" }, "PROJECT_OWNER"),
    entry("several entries", { projectGrantId: "Ä-grant-3" }, "PROJECT_GRANT_OWNER"),
    entry("several entries", { projectGrantId: "😀p-grant-1" }, "PROJECT_GRANT_OWNER_VIEWER"),
  ];
}

function entry(userId: string, scope: object, ...roles: string[]): Entry {
  return { userId, ...scope, roles };
}

function roleLine(projectId: string, key: string): object {
  const position = compareTexts(key, "a");
  return { projectRole: { projectId, key, displayName: position < 0 ? "" : `${key} of it`, group: `group ${key}` } };
}
