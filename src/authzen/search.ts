import type { AuthorizationPage, Filter, Position } from "../authorization/list.ts";
import { type Visibility, visibilityOf } from "../authorization/permissions.ts";
import type { RoleCheck, RoleHolder } from "../authorization/role-check.ts";
import type { AuthorizationStore } from "../authorization/store.ts";
import { mostRows, type PageLimits } from "../rpc/messages/page.ts";
import { holderOf, questionOf, type Sought, userType } from "./entities.ts";
import type { JsonEndpoint, JsonObject } from "./json-endpoint.ts";
import { askedPage } from "./page.ts";

export type SearchOptions = {
  readonly list: AuthorizationStore["list"];
  readonly listKeys: RoleCheck["listKeys"];
  readonly limits: PageLimits;
  readonly resourceType: string;
};

type Asked = {
  readonly visibility: Visibility;
  /** Without what is sought. */
  readonly holder: RoleHolder;
  readonly roleKey: string;
  /** Where the previous page ended; undefined for the first page. */
  readonly after: readonly string[] | undefined;
  readonly limit: number;
  readonly signal: AbortSignal;
};
type Found = { readonly results: readonly object[]; readonly next: readonly string[] | undefined };

/** The search for one kind of entity. It finds only what lists show the caller, so it needs no permission. */
export function search(sought: Sought, options: SearchOptions): Pick<JsonEndpoint, "isDear" | "answer"> {
  const { limits, resourceType } = options;
  const pageOf = (request: JsonObject) => {
    const question = questionOf(request, sought);
    return askedPage(request, limits, JSON.stringify([sought, question]), sought === "resource" ? 2 : 1);
  };
  return {
    isDear: (request) => pageOf(request).limit > mostRows,
    async answer(caller, request, signal) {
      const question = questionOf(request, sought);
      const holder = holderOf(question, resourceType);
      const { after, limit, tell } = pageOf(request);
      const asked = { visibility: visibilityOf(caller), roleKey: question.action, after, limit, signal };
      const { results, next } = holder ? await finders[sought]({ ...asked, holder }, options) : nothing;
      // Clients can show how far they are if the page comes first.
      return { page: tell(next), results };
    },
  };
}

const nothing: Found = { results: [], next: undefined };

const finders: Record<Sought, (asked: Asked, options: SearchOptions) => Promise<Found>> = {
  /** The users with a role. One who has it in several organizations is found once. */
  async subject(asked, { list }) {
    const { holder, limit } = asked;
    const users = new Set<string>();
    let [last] = asked.after ?? [];
    let rounds = 0;
    do {
      rounds += 1;
      // Behind all assignments of the last user.
      const after = last === undefined ? undefined : { key: last, id: behindIds };
      const rest = { ...asked, limit: limit - users.size };
      const { items, next } = await listHeld(list, rest, { kind: "projectId", id: holder.projectId }, after);
      for (const { user } of items) users.add(user.id);
      last = next && String(next.key);
    } while (last !== undefined && users.size < limit && rounds < mostRounds);
    const results = [...users].map((id) => ({ type: userType, id }));
    return { results, next: last === undefined ? undefined : [last] };
  },

  /** The projects in which a user has a role, each with the organization where it has it. */
  async resource(asked, { list, resourceType: type }) {
    const [key, id = ""] = asked.after ?? [];
    const after = key === undefined ? undefined : { key, id };
    const ofUser: Filter = { kind: "userId", id: asked.holder.userId };
    const { items, next } = await listHeld(list, asked, ofUser, after);
    const results = items.map(({ project, organization }) => {
      return { type, id: project.id, properties: { organization_id: organization.id } };
    });
    return { results, next: next && [String(next.key), next.id] };
  },

  /** The roles that a user has in a project, each once. */
  async action({ visibility, holder, after = [""], limit, signal }, { listKeys }) {
    const [last = ""] = after;
    // One more shows whether there is a next page.
    const keys = await listKeys(visibility, holder, { after: last, limit: limit + 1 }, signal);
    const names = keys.slice(0, limit);
    return { results: names.map((name) => ({ name })), next: keys.length > limit ? names.slice(-1) : undefined };
  },
};

/** How many lists a page may take. If users have the role in many organizations, it has fewer users than its limit. */
const mostRounds = 3;

/** Ranks behind every id. */
const behindIds = "\u{10ffff}".repeat(201);

/** Lists active assignments with the role, in the order of what is sought. */
function listHeld(
  list: SearchOptions["list"],
  { visibility, holder, roleKey, limit, signal }: Asked,
  filter: Filter,
  after: Position | undefined,
): Promise<AuthorizationPage> {
  const { organizationId: id } = holder;
  const filters: Filter[] = [filter, { kind: "roleKeys", keys: [roleKey] }, { kind: "state", state: "active" }];
  if (id !== undefined) filters.push({ kind: "organizationId", id });
  const sort = { column: filter.kind === "projectId" ? "userId" : "projectId", ascending: true } as const;
  return list(visibility, { filters, sort, offset: 0n, limit, skipTotal: true, after }, signal);
}
