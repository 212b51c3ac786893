import type { Place } from "../../authorization/authorization.ts";
import type { AskedRoles } from "../../authorization/store.ts";
import type { Connection } from "../pool/database.ts";
import type { Statement } from "../pool/prepared.ts";
import { lockGrantRoles, lockProjectRoles } from "./authorization-locks.ts";

/** In a project, all of its roles can be assigned; with a grant, only the roles in it. Each key is looked up once. */
export async function lockAssignableRoles(
  connection: Connection,
  asked: readonly AskedRoles[],
): Promise<(place: Place) => ReadonlySet<string>> {
  const owned = asked.filter(({ place }) => isOwned(place));
  const granted = asked.filter(({ place }) => !isOwned(place));
  const [ofProjects, ofGrants] = await Promise.all([
    lockRoles(
      connection,
      lockProjectRoles,
      keysBy(({ projectId }) => projectId, owned),
    ),
    lockRoles(
      connection,
      lockGrantRoles,
      keysBy(({ projectGrantId }) => projectGrantId, granted),
    ),
  ]);
  return (place) => (isOwned(place) ? ofProjects.get(place.projectId) : ofGrants.get(place.projectGrantId)) ?? none;
}

const none: ReadonlySet<string> = new Set();

function isOwned({ projectGrantId }: Place): boolean {
  return projectGrantId === "";
}

type KeysByPlace = ReadonlyMap<string, ReadonlySet<string>>;

function keysBy(idOf: (place: Place) => string, asked: readonly AskedRoles[]): KeysByPlace {
  const keys = new Map<string, Set<string>>();
  for (const { place, roleKeys } of asked) {
    if (roleKeys.length === 0) continue;
    const there = keys.get(idOf(place)) ?? new Set();
    keys.set(idOf(place), there);
    for (const key of roleKeys) there.add(key);
  }
  return keys;
}

async function lockRoles(
  connection: Connection,
  statement: (asked: KeysByPlace) => Statement,
  asked: KeysByPlace,
): Promise<KeysByPlace> {
  const found = new Map<string, Set<string>>([...asked.keys()].map((id) => [id, new Set()]));
  if (asked.size === 0) return found;
  const rows = await connection.query<{ place_id: string; role_key: string }>(statement(asked));
  for (const { place_id, role_key } of rows) found.get(place_id)?.add(role_key);
  return found;
}
