/** How people can sign in with an OpenID Connect issuer. */
export type OidcSettings = {
  readonly issuer: string;
  readonly clientId: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly audience: string;
};

/** Settings that the server puts into the page. docs/reference/configuration.md lists the variables. */
export type Settings = {
  /** The name of the console. */
  readonly title: string;
  /** Set when people can sign in with an OpenID Connect issuer. */
  readonly oidc?: OidcSettings;
  /** The allowed origins of people's pictures, as in the Content-Security-Policy. */
  readonly avatarOrigins: readonly string[];
  /** Whether the server refuses changes without a reason. */
  readonly isReasonRequired: boolean;
  /** The longest lifetime of a token that the server accepts. */
  readonly longestTokenSeconds: number;
  /** The most rows that the server takes for a page of a list. */
  readonly mostRows: number;
};

/** Those of a server without variables. */
const defaults: Settings = {
  title: "Authorizations",
  avatarOrigins: [],
  isReasonRequired: false,
  longestTokenSeconds: 366 * 86_400,
  mostRows: 1_000,
};

export const settings: Settings = readSettings(document);

function readSettings(page: Document): Settings {
  const written = page.querySelector<HTMLMetaElement>('meta[name="console-settings"]')?.content ?? "{}";
  return { ...defaults, ...JSON.parse(written) };
}

/** As many rows as are wanted, or as the server takes for a page. */
export function atMost(rows: number): number {
  return Math.min(rows, settings.mostRows);
}
