import { now } from "./clock.ts";
import type { Combination, Moment, Outcome, Request, Row, Scope } from "./operation.ts";
import type { Random } from "./random.ts";
import { fair, guest, home, noRole, rolesOf, seasonal, shop } from "./world.ts";

/** What clients heard last of each combination. They share it, so that they meet on what is there. */
export class Notebook {
  private readonly pages = new Map<string, Page>();

  of(on: Combination): Page {
    let page = this.pages.get(on.key);
    if (page === undefined) {
      page = { id: undefined, former: undefined, changeDate: undefined };
      this.pages.set(on.key, page);
    }
    return page;
  }

  note(on: Combination, request: Request, outcome: Outcome): void {
    const page = this.of(on);
    const gone = () => {
      page.former = page.id ?? page.former;
      page.id = undefined;
    };
    if (outcome.kind === "done") {
      page.changeDate = outcome.date;
      if (request.kind === "create") page.id = outcome.id;
      else if (request.kind === "delete" && request.id === page.id) gone();
    } else if (outcome.kind === "shown" && outcome.row !== undefined) {
      page.id = outcome.row.id;
      page.changeDate = outcome.row.changeDate;
    } else if (outcome.kind === "refused") {
      if (outcome.id !== undefined) page.id = outcome.id;
      if (outcome.changeDate !== undefined) page.changeDate = outcome.changeDate;
      // It may be that the caller only cannot see it; then the next create tells.
      if (outcome.reason === "AUTHORIZATION_NOT_FOUND" && "id" in request && request.id === page.id) gone();
    }
  }
}

type Page = { id: string | undefined; former: string | undefined; changeDate: Row["changeDate"] | undefined };

export function chooseRequest(notebook: Notebook, on: Combination, random: Random): Request {
  const { id, former, changeDate } = notebook.of(on);
  const roll = random.fraction();
  const formerly = former !== undefined && random.chance(0.05) ? former : undefined;
  if (roll < 0.3) return { kind: "read", id: random.chance(0.3) ? (formerly ?? id) : undefined };
  const target = formerly ?? id;
  if (target === undefined) {
    return roll < 0.45 ? { kind: "read" } : chooseNew(on, random);
  }
  if (roll < 0.36) return chooseNew(on, random);
  const ifUnchangedSince = random.chance(0.2) ? changeDate : undefined;
  if (roll < 0.62) {
    const roles = chooseRoles(on, random);
    const expirationDate = random.chance(0.2) ? "none" : random.chance(0.4) ? soon(random) : undefined;
    return { kind: "update", id: target, roles, expirationDate, ifUnchangedSince };
  }
  if (roll < 0.75) return { kind: "deactivate", id: target, ifUnchangedSince };
  if (roll < 0.9) return { kind: "activate", id: target, ifUnchangedSince };
  return { kind: "delete", id: target, ifUnchangedSince };
}

function chooseNew(on: Combination, random: Random): Request {
  return {
    kind: "create",
    roles: chooseRoles(on, random),
    expirationDate: random.chance(0.3) ? soon(random) : undefined,
  };
}

/** An end in the next seconds, so that it often passes while others call. Now and then, it has passed when it arrives. */
function soon(random: Random): Moment {
  return Math.floor((now() + (random.chance(0.5) ? random.between(0, 50) : random.between(50, 3_000))) * 1_000);
}

/** Lists of the whole world, of a part, filtered or not, mostly their first page. */
export function chooseScope(random: Random): Scope {
  const projectId = random.pick([undefined, shop, fair]);
  const organizationId = random.pick([undefined, home, guest]);
  return {
    ...{ projectId, organizationId },
    state: random.pick([undefined, undefined, "active", "inactive"] as const),
    role: random.chance(0.2) ? random.pick(["seller", seasonal]) : undefined,
    offset: random.chance(0.2) ? random.below(120) : 0,
    limit: random.pick([1, 10, 40, 1_000]),
  };
}

function chooseRoles(on: Combination, random: Random): string {
  const roles = rolesOf(on.projectId).filter(() => random.chance(0.4));
  const all = random.chance(0.01) ? [...roles, noRole] : roles;
  return [...all].sort().join(",");
}
