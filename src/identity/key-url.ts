/**
 * Whether an issuer's keys may be fetched from there: over https, or from this machine. Whoever can change
 * keys on their way can sign as anybody.
 */
export function isKeyUrl(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && ownHosts.has(url.hostname));
}

const ownHosts = new Set(["localhost", "127.0.0.1", "[::1]"]);
