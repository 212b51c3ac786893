/** How people can sign in with an OpenID Connect issuer. */
export type OidcSettings = {
  readonly issuer: string;
  readonly clientId: string;
  /** Separated by spaces. */
  readonly scopes: string;
  readonly audience: string;
};

/** What the server tells the page when it delivers it; docs/reference/configuration.md says by which variables. */
export type Settings = {
  /** Set when people can sign in with an OpenID Connect issuer. */
  readonly oidc?: OidcSettings;
  /** Where pictures of people may come from; the Content-Security-Policy says the same. */
  readonly avatarOrigins: readonly string[];
};

export const settings: Settings = readSettings(document);

function readSettings(page: Document): Settings {
  const written = page.querySelector<HTMLMetaElement>('meta[name="console-settings"]')?.content ?? "{}";
  return { avatarOrigins: [], ...JSON.parse(written) };
}
