import { translated } from "./language/translated.ts";

type Texts = readonly [title: string, advice: string];

/** What failed calls are called, and what to do about them: by reason and by code. docs/reference/errors.md lists all reasons. */
export const failureWords = translated("failureWords", {
  unexpected: [
    "Something went wrong in the service",
    "Try again. If this keeps happening, tell the people who run the service, with the request id.",
  ] as Texts,
  away: ["The server can't be reached", "The page keeps trying, and continues when the server is back."] as Texts,
  tookTooLong: ["The server took too long", "Try again, or narrow the view down with a filter."] as Texts,
  signedOut: ["You were signed out in the meantime", "Your last action was not carried out. Try again."] as Texts,
  unreadable: ["The service can't read this request", "Remove the filter or the value you entered last."] as Texts,
  byReason: {
    AUTHORIZATION_CHANGED: [
      "Someone else has changed it in the meantime",
      "Look at what it is now, then decide again.",
    ],
    AUTHORIZATION_EXISTS: ["This person has an assignment there already", "Open it and edit its roles."],
    AUTHORIZATION_NOT_FOUND: ["The assignment is gone", "Someone deleted it, or you can no longer see it."],
    ORGANIZATION_NOT_FOUND: ["The organization is gone", "Pick another organization."],
    ADMINISTRATOR_ROLE_INVALID: ["The service doesn't know this administrator role", "Reload the page."],
    GRANT_EXISTS: ["The project is granted to this organization already", "Change that grant instead."],
    GRANT_TO_OWNER: ["The organization owns this project", "Pick another organization. The owner needs no grant."],
    IMMUTABLE_FIELD: ["This id is taken", "Choose another id."],
    LAST_OWNER: ["No owner of everything would be left", "Make another person owner of everything first."],
    TOO_MANY_ENTRIES: [
      "This person has too many administrator roles",
      "Remove some, or give a role on the organization instead.",
    ],
    OUTCOMES_TOO_LARGE: ["This is too much at once", "Make fewer changes at a time."],
    LIFETIME_EXCEEDED: ["The token would be valid for too long", "Choose a shorter time."],
    REASON_REQUIRED: ["Changes need a reason here", "Fill in the reason."],
    REFERENCE_NOT_FOUND: [
      "Something that this needs is gone",
      "Close this dialog, look at what is there now, then decide again.",
    ],
    TOKEN_NOT_FOUND: ["The token is gone", "Someone revoked it, or it has expired."],
    TOO_MANY_TOKENS: ["There are too many tokens", "Revoke tokens that are no longer needed."],
    OVERLOADED: [
      "The server is too busy",
      "Wait a moment. Views are refreshed automatically. Changes are not sent again.",
    ],
    PAGE_TOKEN_INVALID: ["This page belongs to another list", "Go to the first page."],
    PERMISSION_DENIED: [
      "You don't have the permission for this here",
      "Ask an administrator of the organization or the project.",
    ],
    PROJECT_NOT_GRANTED: ["The organization can no longer use this project", "Pick another project or organization."],
    RATE_LIMITED: ["That was too many requests", "Wait a moment, then try again."],
    ROLE_NOT_FOUND: ["A role can no longer be assigned there", "Pick the roles again."],
    USER_NOT_FOUND: ["The person is gone", "Pick another person."],
    UNAUTHENTICATED: ["You were signed out in the meantime", "Your last action was not carried out. Try again."],
    KEYS_UNAVAILABLE: ["Your sign-in can't be checked at the moment", "Wait a moment, then try again."],
    LIMIT_EXCEEDED: ["The page asked for too much at once", "Reload the page."],
    RESUME_TOKEN_INVALID: ["The page can't follow changes any longer", "Reload the page."],
    RESUME_TOKEN_EXPIRED: ["The page can't follow changes any longer", "Reload the page."],
    READER_TOO_SLOW: ["The page can't follow changes any longer", "Reload the page."],
    AUTHORIZATION_EXPIRED: ["The assignment has ended", "Set a later end, or none."],
    EXPIRATION_NOT_IN_FUTURE: ["The end has passed", "Choose a time in the future."],
    EXPIRATION_NOT_REACHED: ["The end has not come yet", "Look at what it is now, then decide again."],
    VERSION_INVALID: ["The service can't compare this with what is there", "Reload the page."],
    DIRECTORY_CHANGED: ["Someone else has changed it in the meantime", "Look at what it is now, then decide again."],
    DUPLICATE_CHANGE: ["The same thing would be changed twice", "Leave one of the two out."],
    DATABASE_UNAVAILABLE: [
      "The service can't reach its database",
      "The page keeps trying. Check whether a change was made before you repeat it.",
    ],
  } as Record<string, Texts>,
} as const);
