import type { Actor } from "../../authorization/actor.ts";
import type { FoundAuthorization, Instant, Place, RemovedAuthorization } from "../../authorization/authorization.ts";
import { Refusal } from "../../authorization/refusal.ts";
import type {
  AuthorizationChange,
  AuthorizationStore,
  ComparedAuthorization,
  Dates,
  Prospect,
} from "../../authorization/store.ts";
import { proof, proveAgain } from "../caller/proving.ts";
import type { Connection, Database } from "../pool/database.ts";
import { sqlState } from "../pool/failures.ts";
import type { Statement } from "../pool/prepared.ts";
import * as writes from "./authorization-statements.ts";
import { settleThese } from "./settle.ts";
import * as found from "./what-decides.ts";

/**
 * Most changes take two round trips: one statement finds what decides, and one makes the change if that is still so. If it
 * isn't, both are repeated. Where many change the same authorizations, that could last forever. So after two attempts,
 * and for changes of several rounds, both statements run in a transaction that locks what it finds.
 */
export const changeAuthorizations =
  (database: Database): AuthorizationStore["change"] =>
  async (actor, signal, work, rounds = 1) => {
    const atOnce: Means = {
      read: (statement) => database.query(statement, signal),
      write: (statement) => database.write(statement, signal),
      locks: false,
    };
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (rounds <= 1 && attempt <= attemptsAtOnce) return await work(changeBy(atOnce, actor));
        await database.query(proof, signal);
        return await database.transaction(signal, ({ query }) =>
          work(changeBy({ read: query, write: query, locks: true }, actor)),
        );
      } catch (error) {
        if (attempt === mostAttempts || !isOutdated(error)) throw error;
        proveAgain();
      }
    }
  };

const attemptsAtOnce = 2;

/** Far more than it takes. Behind its locks, only a new authorization can still meet others: one for the same combination. */
const mostAttempts = 20;

/** What was found is no longer so: the change says it, or a foreign or unique key. */
function isOutdated(error: unknown): boolean {
  return error instanceof Outdated || ["23503", "23505"].includes(sqlState(error) ?? "");
}

class Outdated extends Refusal {
  constructor() {
    super("OVERLOADED", "too many requests are changing the same assignment; try again");
  }
}

type Means = { readonly read: Connection["query"]; readonly write: Connection["query"]; readonly locks: boolean };

/** Empty lists cause no statement. */
function changeBy({ read, write, locks }: Means, actor: Actor): AuthorizationChange {
  async function find<Row extends FoundRow>(statement: Statement): Promise<Row[]> {
    const rows = await read<Row>(statement);
    if (!locks || rows.length === 0) return settled(rows, statement);
    await read(writes.lock(rows));
    return settled(await read<Row>(statement), statement);
  }

  /** The rows once the ends that have passed are written, with their events, so that changes follow from what is stored. */
  async function settled<Row extends FoundRow>(rows: Row[], statement: Statement): Promise<Row[]> {
    const due = rows.filter(({ isDue }) => isDue).map(({ id }) => id);
    if (due.length === 0) return rows;
    await write(settleThese(due));
    return settled(await read<Row>(statement), statement);
  }

  async function made(items: readonly unknown[], statement: () => Statement): Promise<Dates> {
    if (items.length === 0) return new Map();
    const rows = await write<{ id: string; time: Instant }>(statement());
    if (rows.length < items.length) throw new Outdated();
    return new Map(rows.map(({ id, time }) => [id, time]));
  }

  return {
    isOpen: locks,
    async find(visibility, ids) {
      return byId(await find(found.findVisible(visibility, ids)));
    },
    async compare(visibility, wanted) {
      return byId(await find<FoundRow & ComparedAuthorization>(found.compareVisible(visibility, wanted)));
    },
    async findRemoved(ids) {
      if (ids.length === 0) return new Map();
      return byId(await read<RemovedAuthorization & { id: string }>(found.findLastRemovals(ids)));
    },
    async prepare(assignments) {
      const rows = await read<ProspectRow>(found.prepare(assignments));
      return new Map(rows.map((row) => [row.id, toProspect(row)]));
    },
    create: (items) => made(items, () => writes.create(items, actor)),
    setState: (items, state) => made(items, () => writes.setState(items, state, actor)),
    replace: (items) => made(items, () => writes.replace(items, actor)),
    remove: (items) => made(items, () => writes.remove(items, actor)),
  };
}

/** The columns of these rows are named like the fields of what they become. */
type FoundRow = FoundAuthorization & {
  /** Whether its end has passed, but isn't written yet. */
  readonly isDue: boolean;
};
type ProspectRow = Omit<Prospect, "place" | "existingId"> &
  Omit<Place, "projectGrantId"> & {
    readonly id: string;
    /** Null if there is no place. */
    readonly projectGrantId: string | null;
    readonly existingId: string | null;
  };

function byId<Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function toProspect({ projectId, organizationId, projectGrantId, existingId, ...row }: ProspectRow): Prospect {
  const place = projectGrantId === null ? undefined : { projectId, organizationId, projectGrantId };
  return { ...row, place, existingId: existingId ?? undefined };
}
