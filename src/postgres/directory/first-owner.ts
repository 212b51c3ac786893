import type { Actor } from "../../authorization/actor.ts";
import type { Instant } from "../../authorization/authorization.ts";
import type { PlacedChange } from "../../directory/change.ts";
import type { Connection, Database } from "../pool/database.ts";
import { insertToken, seconds } from "../token/create-token.ts";
import { madeByOperator } from "../token/token-store.ts";
import { applyStaged } from "./apply/apply-changes.ts";
import { lockDirectory } from "./apply/directory-locks.ts";
import { isOwner } from "./apply/last-owner.ts";
import { stageInParameters } from "./stage/staging.ts";

/** The changes that create the first owner, and the owner's token, if there is to be one. */
type FirstOwner = {
  readonly changes: readonly PlacedChange[];
  readonly userId: string;
  readonly token: { readonly hash: Buffer; readonly expiresInSeconds: number | undefined } | undefined;
};

/** When the token expires, undefined for never or without one. Or the existing owner or user, in which case nothing was created. */
type MadeOwner =
  | { readonly expirationDate: Instant | undefined }
  | { readonly existingOwner: string }
  | { readonly existingUser: string };

/** Creates the owner and the token in one transaction, unless the instance has an owner. */
export function makeFirstOwner(database: Database, actor: Actor, owner: FirstOwner): Promise<MadeOwner> {
  const { changes, userId, token } = owner;
  const forever = new AbortController().signal;
  return database.transaction(forever, async (connection): Promise<MadeOwner> => {
    // Every change that could create an owner takes this lock, so none can come between the check and the commit.
    await connection.query({ text: lockDirectory, values: [] });
    const existingOwner = await selectInstanceOwner(connection.query);
    if (existingOwner !== undefined) return { existingOwner };
    const [user] = await connection.query({ text: "select from users where id = $1", values: [userId] });
    if (user !== undefined) return { existingUser: userId };
    await applyStaged(stageInParameters(connection, changes), actor, () => {});
    if (token === undefined) return { expirationDate: undefined };
    const lifetime = seconds(token.expiresInSeconds);
    const stored = { ...madeByOperator, userId, hash: token.hash, name: "", lifetime };
    const [row] = await connection.query<{ expirationDate: Instant | null }>(insertToken(stored, actor));
    return { expirationDate: row?.expirationDate ?? undefined };
  });
}

/** The id of an IAM_OWNER, if there is one. */
export function findInstanceOwner(database: Pick<Database, "query">, signal: AbortSignal): Promise<string | undefined> {
  return selectInstanceOwner((statement) => database.query(statement, signal));
}

async function selectInstanceOwner(query: Connection["query"]): Promise<string | undefined> {
  const [row] = await query<{ user_id: string }>({
    text: `select a.user_id from administrators a where ${isOwner("a")} order by a.user_id limit 1`,
    values: [],
  });
  return row?.user_id;
}
