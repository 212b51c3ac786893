/** A page token of the same list as another one, with any position in it. */
export function forgedToken(pageToken: string, ...position: unknown[]): string {
  const [list] = JSON.parse(Buffer.from(pageToken, "base64url").toString());
  return Buffer.from(JSON.stringify([list, ...position])).toString("base64url");
}
