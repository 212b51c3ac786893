import { type Answer, bodyOf, type TestServer } from "./server.ts";

/** Calls an RPC of TokenService. */
export function callTokens(server: TestServer, rpc: string, request: object, token: string): Promise<Answer> {
  return server.callService(`identity.v1.TokenService/${rpc}`, request, { token });
}

export type Created = { id: string; token: string; expirationDate: string; shortened: boolean };

/** Creates a token that must not be refused. */
export function created(server: TestServer, token: string, request: object = {}): Promise<Created> {
  return bodyOf(callTokens(server, "CreateToken", request, token));
}

/** The tokens that a caller sees of a user; by default, its own. */
export async function listedTokens(server: TestServer, token: string, request: object = {}): Promise<any[]> {
  return (await bodyOf(callTokens(server, "ListTokens", request, token))).tokens;
}

/** The HTTP status of a request with a token. */
export async function statusWith(server: TestServer, token: string): Promise<number> {
  return (await server.callService("authorization.v2.CallerService/GetCaller", {}, { token })).status;
}

/** Ends a token now, as time would. */
export function expire(server: TestServer, id: string): Promise<unknown> {
  return server.database.query("update tokens set expiration_date = clock_timestamp() where id = $1", [id]);
}

/** Days from the creation to the end of a token. */
export async function daysOf(server: TestServer, id: string): Promise<number | null | undefined> {
  const [row] = await server.database.query<{ days: number | null }>(
    "select extract(epoch from expiration_date - creation_date)::float8 / 86400 as days from tokens where id = $1",
    [id],
  );
  return row?.days;
}
