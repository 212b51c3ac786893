import type { ConsoleSettings } from "../console/settings.ts";
import type { JwtIssuer } from "../identity/jwt.ts";
import { isWebOrigin, type Readers } from "./readers.ts";

/** Undefined: the console is not served. */
export function readConsole(
  read: Readers,
  problems: string[],
  jwt: JwtIssuer | undefined,
  rules: Pick<ConsoleSettings, "isReasonRequired" | "longestTokenSeconds" | "mostRows">,
): ConsoleSettings | undefined {
  const isServed = read.boolean("CONSOLE", true);
  const title = read.text("CONSOLE_TITLE", "Authorizations");
  const avatarOrigins = read.webOrigins("AVATAR_ORIGINS");
  const oidc = readOidc(read, problems, jwt);
  return isServed ? { title, oidc, avatarOrigins, ...rules } : undefined;
}

function readOidc(read: Readers, problems: string[], jwt: JwtIssuer | undefined): ConsoleSettings["oidc"] {
  const clientId = read.text("OIDC_CLIENT_ID", "");
  const scopes = read.scopes("OIDC_SCOPES", "openid");
  if (read.isGiven("OIDC_SCOPES") && clientId === "") problems.push("OIDC_SCOPES: needs OIDC_CLIENT_ID");
  if (clientId === "") return undefined;
  if (!read.isGiven("JWT_ISSUER")) problems.push("OIDC_CLIENT_ID: needs JWT_ISSUER");
  if (jwt === undefined) return undefined;
  // A Content-Security-Policy can't name other hosts, and other characters in a host could end its directive.
  if (!isWebOrigin(new URL(jwt.issuer).origin)) {
    problems.push("OIDC_CLIENT_ID: needs a JWT_ISSUER whose host is a name or an IPv4 address");
  }
  return { issuer: jwt.issuer, clientId, scopes, audience: jwt.audience };
}
