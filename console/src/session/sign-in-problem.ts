import { signInProblems as words } from "../words/session.ts";

/** Why signing in at the issuer failed, and what to do. The issuer is named by its host. */
export function problemOf(thrown: unknown, issuer: string): string {
  const { name, message, error } = thrown as Partial<Error> & { error?: unknown };
  if (name === "ErrorResponse" && typeof error === "string") {
    const text = words.byCode[error];
    if (text !== undefined) return text(issuer);
    const told = message === undefined || message === error ? error : `${error}: ${message}`;
    return words.notAllowed(issuer, told);
  }
  if (!globalThis.isSecureContext) {
    return words.insecure;
  }
  if (message === "No matching state found in storage") {
    return words.otherTab;
  }
  const isAway = name === "TypeError" || name === "ErrorTimeout" || message?.startsWith("Network timed out") === true;
  if (isAway) return words.away(issuer);
  return words.unreadable(issuer, message);
}
