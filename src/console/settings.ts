/** What the page has to know before it can ask the service; console/src/settings.ts reads it. */
export type ConsoleSettings = {
  /** Undefined: people sign in with a personal access token only. */
  readonly oidc:
    | {
        readonly issuer: string;
        readonly clientId: string;
        /** Separated by spaces. */
        readonly scopes: string;
        /** Some issuers make a JWT only for an audience that they were asked for. */
        readonly audience: string;
      }
    | undefined;
  /** The only origins that pictures of people are taken from. */
  readonly avatarOrigins: readonly string[];
};

/** The element of index.html that the settings are written into, as the console is built with it. */
const place = /(<meta\s+name="console-settings"\s+content=")\{\}(")/;

/** The page with its settings; undefined when it has no place for them. */
export function withSettings(html: string, settings: ConsoleSettings): string | undefined {
  if (!place.test(html)) return undefined;
  return html.replace(place, (_, before, after) => before + escaped(JSON.stringify(settings)) + after);
}

const escapes: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };

function escaped(text: string): string {
  return text.replaceAll(/[&"<>]/g, (character) => escapes[character] ?? "");
}
