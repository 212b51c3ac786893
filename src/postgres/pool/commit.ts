import type pg from "pg";
import { Refusal } from "../../authorization/refusal.ts";
import { asRefusal, brokeConnection } from "./failures.ts";

/** Commits the transaction. If no one knows whether the change is stored for good, throws a refusal that says so. */
export async function commit(client: pg.ClientBase): Promise<void> {
  let warning: Warning | undefined;
  const listen = (notice: Warning) => {
    if (notice.code === warningState) warning ??= notice;
  };
  client.on("notice", listen);
  try {
    const { command } = await client.query("commit");
    // Postgres answers ROLLBACK if a statement of the transaction had failed.
    if (command !== "COMMIT") throw new Error(`the transaction ended with ${command}`);
  } catch (error) {
    throw brokeConnection(error) ? outcomeUnknown(lostConnection, error) : asRefusal(error);
  } finally {
    client.off("notice", listen);
  }
  if (warning !== undefined) throw outcomeUnknown(lostWait, warning);
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
