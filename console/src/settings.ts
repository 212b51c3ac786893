import type { ConsoleSettings } from "../../src/console/settings.ts";

/** How people can sign in with an OpenID Connect issuer. */
export type OidcSettings = NonNullable<ConsoleSettings["oidc"]>;

/** Those of a server without variables. docs/reference/configuration.md lists them. */
const defaults: ConsoleSettings = {
  title: "Authorizations",
  oidc: undefined,
  avatarOrigins: [],
  isReasonRequired: false,
  longestTokenSeconds: 366 * 86_400,
  mostRows: 1_000,
};

/** What the server puts into the page. */
export const settings: ConsoleSettings = readSettings(document);

function readSettings(page: Document): ConsoleSettings {
  const written = page.querySelector<HTMLMetaElement>('meta[name="console-settings"]')?.content ?? "{}";
  return { ...defaults, ...JSON.parse(written) };
}

/** As many rows as are wanted, or as the server takes for a page. */
export function atMost(rows: number): number {
  return Math.min(rows, settings.mostRows);
}
