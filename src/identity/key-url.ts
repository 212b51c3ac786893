/**
 * Whether an issuer's keys may be fetched from a URL: over https, or from this machine. Anyone who can change keys on
 * the way can sign as any user.
 */
export function isKeyUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && ownHosts.has(url.hostname));
}

const ownHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);
