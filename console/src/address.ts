/**
 * Reads a value in an address as JSON if it clearly is JSON. Anything else is a plain text, such as the id 1e3, because
 * people who write links by hand don't quote.
 */
export function readValue(text: string): unknown {
  const isJson = /^[[{"]/.test(text) || text === "true" || String(Number.parseInt(text, 10)) === text;
  if (isJson) return JSON.parse(text);
  throw new SyntaxError("a text");
}
