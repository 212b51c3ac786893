/** The words of the sign-in page. */
export const signInWords = {
  product: "Authorizations",
  what: "See and change who holds which roles, in which project, in which organization.",
  kept: "What you were doing is kept: sign in as the same person to continue. When someone else signs in, it is dropped.",
  or: "or",
  token: "Token",
  signIn: "Sign in",
  signInWithToken: "Sign in with the token",
  noToken: "This doesn't look like a token: tokens have only letters, digits and - . _ ~ + / =.",
  whence: "Where do I get a token?",
} as const;
