import { methods, pathOf } from "./requests.ts";

/** What is at which paths; what is not here must not be found by any other spelling. */
const paths = new Set([...methods.map(pathOf), "/healthz", "/readyz"]);

/**
 * What the head of a single request, read from its bytes, has to be answered with before anything else is looked at:
 * 400 and the end of the connection when it could mean two things, 404 when nothing is at its target, else undefined.
 */
export function refusalOfHead(bytes: Buffer): 400 | 404 | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  const text = bytes.subarray(0, end < 0 ? bytes.length : end).toString("latin1");
  const [start = "", ...lines] = text.replace(/^(\r\n)+/, "").split("\r\n");
  const [, target, version] = /^\S+ +(\S+)(?: +(\S+))?$/.exec(start) ?? [];
  const valuesOf = (name: string) =>
    lines.flatMap((line) => (line.toLowerCase().startsWith(`${name}:`) ? [line.slice(name.length + 1).trim()] : []));
  if (version !== "HTTP/1.1" && version !== "HTTP/1.0") return 400;
  if (valuesOf("host").length > 1 || valuesOf("authorization").length > 1) return 400;
  const codings = valuesOf("transfer-encoding");
  if (codings.length > 0 && (version === "HTTP/1.0" || codings.join().toLowerCase() !== "chunked")) return 400;
  return target !== undefined && isServed(target) ? undefined : 404;
}

function isServed(target: string): boolean {
  if (target.includes("#")) return false;
  const [path = ""] = target.split("?", 1);
  const [, host] = /^https?:\/\/([^/]*)\//i.exec(path) ?? [];
  if (host === undefined) return paths.has(path);
  return /^([\w.-]+|\[[\d:a-f]+\])(:\d*)?$/i.test(host) && paths.has(path.slice(path.indexOf(host) + host.length));
}
