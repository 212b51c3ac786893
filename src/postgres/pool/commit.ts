import type pg from "pg";
import { Refusal } from "../../authorization/refusal.ts";
import { asRefusal, brokeConnection } from "./failures.ts";
import { streamOf } from "./give-up.ts";
import { Lost } from "./running.ts";

/** Commits the transaction. If no one knows whether the change is stored for good, throws a refusal that says so. */
export async function commit(client: pg.ClientBase): Promise<void> {
  const { command } = await committing(client, () => client.query("commit"));
  // Postgres answers ROLLBACK if a statement of the transaction had failed.
  if (command !== "COMMIT") throw new Error(`the transaction ended with ${command}`);
}

/** Runs what commits: COMMIT, or a statement outside of a transaction. Throws the same refusal. */
export async function committing<T>(client: pg.ClientBase, run: () => Promise<T>): Promise<T> {
  let warning: Warning | undefined;
  const listen = (notice: Warning) => {
    if (notice.code === warningState) warning ??= notice;
  };
  client.on("notice", listen);
  try {
    const result = await run();
    if (warning !== undefined) throw outcomeUnknown(lostWait, warning);
    return result;
  } catch (error) {
    const isLost = error instanceof Lost || brokeConnection(error) || streamOf(client).destroyed;
    throw isLost ? outcomeUnknown(lostConnection, error) : asRefusal(error);
  } finally {
    client.off("notice", listen);
  }
}

type Warning = { readonly code?: string | undefined; readonly message?: string | undefined };

/**
 * The SQLSTATE of a plain warning. Postgres answers COMMIT to a commit whose wait for a synchronous standby was cancelled,
 * and warns that it may not have been replicated. Its text depends on the language.
 */
const warningState = "01000";

function outcomeUnknown(what: string, cause: unknown): Refusal {
  const message = `${what}: check whether the change was made before you try again`;
  return new Refusal("DATABASE_UNAVAILABLE", message, { outcome: "unknown" }, { cause });
}

const lostConnection = "the database went away during the commit";
const lostWait = "the change may be lost in a fail-over, because no standby confirmed the commit";
