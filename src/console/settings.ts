/** What the page needs to know before it can call the service. console/src/settings.ts reads it. */
export type ConsoleSettings = {
  /** The name of the console. */
  readonly title: string;
  /** Undefined: people sign in with a personal access token only. */
  readonly oidc:
    | {
        readonly issuer: string;
        readonly clientId: string;
        /** Separated by spaces. */
        readonly scopes: string;
        /** Some issuers create JWTs only for an audience that was requested. */
        readonly audience: string;
      }
    | undefined;
  /** The only origins of pictures of people. */
  readonly avatarOrigins: readonly string[];
  /** Whether changes need a reason. */
  readonly isReasonRequired: boolean;
  /** The longest lifetime of tokens that callers create. */
  readonly longestTokenSeconds: number;
  /** The most rows of a page of a list. */
  readonly mostRows: number;
};

/** The built index.html with its settings. */
export function withSettings(html: string, settings: ConsoleSettings): string {
  return html
    .replace(/(?<=<meta\s+name="console-settings"\s+content=")\{\}/, () => escaped(JSON.stringify(settings)))
    .replace(/(?<=<title>)[^<]*/, () => escaped(settings.title));
}

const escapes: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

function escaped(text: string): string {
  return text.replaceAll(/[&"<>]/g, (character) => escapes[character] ?? "");
}
