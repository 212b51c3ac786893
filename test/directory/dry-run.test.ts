import { beforeEach, describe, expect, test } from "vitest";
import { administrator } from "../support/assign.ts";
import { apply, entry, organization, project, projectGrant, remove, removeRole } from "../support/changes.ts";
import { freshServerForEach } from "../support/fresh-worlds.ts";
import { hold } from "../support/locks.ts";
import { type Answer, errorInfo, type TestServer } from "../support/server.ts";
import { role, user } from "../support/world.ts";

// docs/reference/directory.md, "Dry runs".

let server: TestServer;
let root: string;
freshServerForEach({}, (...given) => {
  [server, root] = given;
});

function send(changes: readonly object[], dryRun: boolean, token = root): Promise<Answer> {
  return server.callDirectory("ApplyChanges", { changes, dryRun }, { token });
}

/** Each answer has a version of its own. */
function withoutVersion({ body }: Answer): object {
  return { ...body, version: undefined };
}

/** Changes of every kind of thing, from which everything follows that can. */
const changes = [
  remove({ organizationId: "globex" }),
  remove({ userId: "adam" }),
  removeRole("shop", "auditor"),
  remove({ authorizationId: "a1" }),
  organization("initech", "Initech Ltd"),
  user("cid", "acme", "Cid"),
  user("bob", "acme", "Bob"),
  project("lab", "acme"),
  role("lab", "k"),
  projectGrant("shop-to-initech", "shop", "initech"),
  entry("cid", { projectId: "lab" }, "PROJECT_OWNER"),
  { authorization: { id: "a9", userId: "cid", projectId: "lab", organizationId: "acme", roleKeys: ["k"] } },
];

/** Everything that a change of the directory locks, held by a transaction that changes nothing. */
const everyLock = [
  "select pg_advisory_xact_lock(7206381402113)",
  "select count(pg_advisory_xact_lock(720638140, gate)) from generate_series(0, 4095) gate",
  ...["organizations", "users", "projects", "project_roles", "project_grants", "project_grant_roles"].map(forUpdate),
  ...["administrators", "tokens", "authorizations", "authorization_roles"].map(forUpdate),
  "lock table events, directory_events, directory_event_places, removed_things in exclusive mode",
].join(";");

function forUpdate(table: string): string {
  return `select count(*) from (select from ${table} for update) locked`;
}

describe("A dry run", () => {
  test("waits for no lock", async () => {
    const held = await hold(server.database, everyLock);
    const dry = await send(changes, true);
    expect(dry.status).toBe(200);
    await held.rollback();
    expect(withoutVersion(await send(changes, false))).toEqual(withoutVersion(dry));
  });

  test("holds no lock that a change could wait for", async () => {
    await server.database.load(entry("cid", { instance: true }, "IAM_OWNER"));
    const other = await server.database.token("cid");
    // It reads the history of assignments last, and waits there.
    const held = await hold(server.database, "lock table events in access exclusive mode");
    const dry = send(changes, true);
    await held.untilWaiting(1);
    // A caller's requests wait for each other, so another one makes the change.
    const strong = await server.database.query(
      `select l.locktype, l.mode, l.relation::regclass::text as relation
       from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where a.datname = current_database() and a.wait_event_type = 'Lock' and l.mode <> 'AccessShareLock'
         and l.locktype not in ('virtualxid', 'transactionid')
         and (l.relation is null or not pg_is_other_temp_schema((select relnamespace from pg_class where oid = l.relation)))`,
    );
    expect(strong).toEqual([]);
    const real = await send(
      [organization("initech", "Another"), user("bob", "initech"), role("shop", "auditor")],
      false,
      other,
    );
    expect(real.status).toBe(200);
    await held.rollback();
    expect((await dry).body.outcomes[4].before).toEqual({ organization: { id: "initech", name: "Initech" } });
  });

  test("is refused as the real run is", async () => {
    const owner = await administrator(server.database, { organizationId: "acme", roles: ["ORG_OWNER"] });
    const refused = async (token: string, ...given: object[]) => {
      const [dry, real] = [await send(given, true, token), await send(given, false, token)];
      expect(real).toMatchObject({ status: dry.status, body: dry.body });
      return errorInfo(dry)?.reason;
    };
    expect(await refused(owner, organization("acme", "Other"), organization("globex"))).toBe("PERMISSION_DENIED");
    expect(await refused(root, user("eve", "nowhere"))).toBe("REFERENCE_NOT_FOUND");
    expect(await refused(root, remove({ userId: "root" }))).toBe("LAST_OWNER");
  });
});

describe("A request that is refused waits for no lock:", () => {
  let owner: string;
  beforeEach(async () => {
    owner = await administrator(server.database, { organizationId: "acme", roles: ["ORG_OWNER"] });
  });

  test.each<[reason: string, by: "root" | "owner", ...changes: object[]]>([
    ["PERMISSION_DENIED", "owner", organization("globex", "Other")],
    ["DUPLICATE_CHANGE", "root", organization("globex"), remove({ organizationId: "globex" })],
    ["REFERENCE_NOT_FOUND", "root", remove({ organizationId: "globex" }), user("bob", "globex")],
    ["REFERENCE_NOT_FOUND", "root", remove({ projectId: "shop" }), role("shop", "new")],
    ["ADMINISTRATOR_ROLE_INVALID", "root", entry("ann", { instance: true }, "ORG_OWNER")],
    [
      "ROLE_NOT_FOUND",
      "root",
      removeRole("shop", "seller"),
      projectGrant("shop-to-globex", "shop", "globex", "seller"),
    ],
    ["GRANT_TO_OWNER", "root", projectGrant("g", "shop", "acme")],
    ["GRANT_EXISTS", "root", projectGrant("g", "shop", "globex")],
    ["IMMUTABLE_FIELD", "root", project("shop", "globex")],
    [
      ...(["AUTHORIZATION_EXISTS", "root"] as const),
      { authorization: { id: "twin", userId: "ann", projectId: "shop", organizationId: "acme", roleKeys: [] } },
    ],
    ["LAST_OWNER", "root", remove({ organizationId: "acme" })],
  ])("%s, by %s", async (reason, by, ...given) => {
    const held = await hold(server.database, everyLock);
    const answer = await send(given, false, by === "root" ? root : owner);
    expect(errorInfo(answer)?.reason).toBe(reason);
    await held.rollback();
  });
});

test("What will be there counts, not what is there: a grant and an assignment can take the place of removed ones", async () => {
  const answers = await apply(
    server,
    root,
    remove({ projectGrantId: "shop-to-globex" }),
    projectGrant("second", "shop", "globex", "owner"),
    { authorization: { id: "twin", userId: "bea", projectId: "shop", organizationId: "globex", roleKeys: ["owner"] } },
  );
  expect(answers.outcomes.map(({ effect }: any) => effect)).toContain("EFFECT_CREATED");
});
