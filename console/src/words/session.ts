import { translated } from "./language/translated.ts";
import { product } from "./product.ts";

/** The words of the sign-in page. */
export const signInWords = translated("signInWords", {
  product,
  what: "See and change who holds which roles, in which project, in which organization.",
  kept: "Your work is kept. Sign in as the same person to continue. If someone else signs in, it is lost.",
  or: "or",
  token: "Token",
  signIn: "Sign in",
  signInWithToken: "Sign in with the token",
  noToken: "This doesn't look like a token: tokens have only letters, digits and - . _ ~ + / =.",
  whence: "Where do I get a token?",
  /** The commands stand between these texts. */
  whenceTexts: [
    "The first start prints tokens for its demo world. In a new database, ",
    " makes the first owner and a token. Later, ",
    " makes one. The tabs of this browser share it until you sign out or close the last of them.",
  ],
  withIssuer: "Sign in with your organization’s account",
  /** Before and after the name of the issuer. */
  at: ["At ", "."],
  atInNewTab: ["At ", ", in a new tab. Then continue here."],
  /** Why no one is signed in. Of a session of an issuer, its host is given. */
  reasons: {
    left: (there) =>
      there === undefined ? "You are signed out." : `You are signed out here. You may still be signed in at ${there}.`,
    refused: () => "This token isn't accepted. It may be mistyped, expired or revoked.",
    unaccepted: (there) =>
      `The service doesn't know your account at ${there}. Use another one, or ask the people who run the service.`,
    ended: () => "Your token has expired or has been revoked. Sign in again to continue.",
    expired: () => "Your session has ended. Sign in again to continue.",
    returning: (there) => `Signing you in with your account at ${there}…`,
    checking: () => "Signing you in…",
  } as Partial<Record<string, (issuer: string | undefined) => string>>,
} as const);

/** Why signing in at an issuer failed, and what to do. */
export const signInProblems = translated("signInProblems", {
  later: (title: string) => `${title}. Sign in again in a moment.`,
  notAllowed: (issuer: string, said: string) =>
    `${issuer} doesn't let this page sign people in. Tell the people who run the service what it said: ${said}`,
  insecure: "Signing in this way works only at an https:// address. Ask the people who run the service for it.",
  otherTab: "This sign-in began in another tab, or too long ago. Start again here.",
  away: (issuer: string) => `${issuer} can't be reached. Try again in a moment.`,
  unreadable: (issuer: string, message: string | undefined) =>
    `The answer of ${issuer} can't be used. Try again. If this keeps happening, tell the people who run the service: ${message}`,
  /** By the codes of RFC 6749, sections 4.1.2.1 and 5.2, and of OpenID Connect Core, section 3.1.2.6. */
  byCode: {
    access_denied: (issuer: string) =>
      `Access was refused at ${issuer}. Sign in again and allow it, or use another account.`,
    invalid_grant: () => "Signing in took too long. Start again.",
    login_required: (issuer: string) => `You are not signed in at ${issuer}. Start again.`,
    interaction_required: (issuer: string) => `${issuer} has to ask you something. Start again.`,
    consent_required: (issuer: string) => `${issuer} has to ask you for consent. Start again.`,
    server_error: (issuer: string) => `${issuer} failed. Try again in a moment.`,
    temporarily_unavailable: (issuer: string) => `${issuer} is too busy. Try again in a moment.`,
  } as Partial<Record<string, (issuer: string) => string>>,
} as const);
