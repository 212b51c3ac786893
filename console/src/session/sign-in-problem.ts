/** Why signing in at the issuer failed, and what to do. The issuer is named by its host. */
export function problemOf(thrown: unknown, issuer: string): string {
  const { name, message, error } = thrown as Partial<Error> & { error?: unknown };
  if (name === "ErrorResponse" && typeof error === "string") {
    const text = byCode[error];
    if (text !== undefined) return text(issuer);
    const told = message === undefined || message === error ? error : `${error}: ${message}`;
    return `${issuer} does not let this page sign people in. Tell whoever runs the service what it said: ${told}`;
  }
  if (!globalThis.isSecureContext) {
    return "Signing in this way works only at an https:// address. Ask whoever runs the service for it.";
  }
  if (message === "No matching state found in storage") {
    return "This sign-in was begun in another tab, or too long ago. Begin again here.";
  }
  const isAway = name === "TypeError" || name === "ErrorTimeout" || message?.startsWith("Network timed out") === true;
  if (isAway) return `${issuer} cannot be reached. Try again in a moment.`;
  return `The answer of ${issuer} cannot be used. Try again; if it stays, tell whoever runs the service: ${message}`;
}

/** Texts by the codes of RFC 6749, sections 4.1.2.1 and 5.2, and of OpenID Connect Core, section 3.1.2.6. */
const byCode: Partial<Record<string, (issuer: string) => string>> = {
  access_denied: (issuer) => `Access was refused at ${issuer}. Sign in again and allow it, or use another account.`,
  invalid_grant: () => "Signing in took too long. Begin again.",
  login_required: (issuer) => `You are not signed in at ${issuer}. Begin again.`,
  interaction_required: (issuer) => `${issuer} has to ask you something. Begin again.`,
  consent_required: (issuer) => `${issuer} has to ask you for consent. Begin again.`,
  server_error: (issuer) => `${issuer} failed. Try again in a moment.`,
  temporarily_unavailable: (issuer) => `${issuer} is too busy. Try again in a moment.`,
};
