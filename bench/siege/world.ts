import type pg from "pg";
import { type KeyIssuer, startKeyIssuer } from "../../test/support/key-issuer.ts";
import { newKey, signJwt } from "../../test/support/signing.ts";
import { withClient } from "../../test/support/with-client.ts";
import { makeTokens } from "../callers.ts";
import { tokensFor } from "../databases.ts";
import type { Target } from "./attack.ts";
import { call, lists } from "./requests.ts";

/** An issuer of JWTs. It answers its first question at once, and takes its time after that. */
export type Issuer = {
  readonly environment: Record<string, string>;
  /** A token of a user that is valid for the whole run. */
  tokenOf(userId: string): string;
  answerInMs(ms: number): void;
  stop(): Promise<void>;
};

const audience = "siege";

export async function openIssuer(): Promise<Issuer> {
  const key = newKey("known");
  const issuer: KeyIssuer = await startKeyIssuer(key);
  const keys = JSON.stringify({ keys: [key.jwk] });
  const tomorrow = Math.floor(Date.now() / 1_000) + 86_400;
  return {
    environment: { JWT_ISSUER: issuer.url, JWT_AUDIENCE: audience },
    tokenOf: (userId) => signJwt(key, { iss: issuer.url, aud: audience, sub: userId, exp: tomorrow }),
    answerInMs: (ms) => issuer.answer("/keys", (response) => void setTimeout(() => response.end(keys), ms)),
    stop: issuer.stop,
  };
}

/** What honest callers ask: a plain user, an organization's owner, and a service that checks roles by a JWT. */
export type Callers = { readonly honest: readonly string[]; readonly attackers: Target["tokens"] };

export async function makeCallers(connection: pg.ClientConfig, issuer: Issuer): Promise<Callers> {
  const callers = await makeTokens(connection);
  const service = callers["ordinary-project"];
  return withClient(connection, async (client) => {
    const { rows: checked } = await client.query<{ user_id: string; project_id: string }>(selectChecked, [
      service.userId,
    ]);
    const { rows: users } = await client.query<{ user_id: string }>(selectPlainUser);
    const [{ user_id: userId, project_id: projectId } = missing, { user_id: attacker } = missing] = [
      checked[0],
      users[0],
    ];
    const [token = ""] = await tokensFor(connection, [attacker]);
    return {
      honest: [
        call(lists, callers.own.token, {}),
        call(lists, callers.large.token, { pagination: { limit: 100 } }),
        call(lists, issuer.tokenOf(service.userId), {
          filters: [{ userId: { id: userId } }, { projectId: { id: projectId } }],
        }),
      ],
      attackers: { user: token, project: callers.project.token, organization: callers.largest.token },
    };
  });
}

const missing = { user_id: "", project_id: "" };

const selectChecked = `
  select a.user_id, a.project_id
  from administrators d join authorizations a on a.project_id = d.project_id
  where d.user_id = $1
  order by a.id
  limit 1`;

/** Not the one who is honest. */
const selectPlainUser = `
  select user_id
  from authorizations
  where user_id not in (select user_id from administrators) and user_id not in (select user_id from bench.callers)
  order by user_id
  limit 1`;
