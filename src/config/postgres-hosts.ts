/**
 * One URL for each host of a Postgres URL, which may list several, as libpq allows it:
 * `postgres://user@one:5432,two:5433/db`, or `?host=/one,/two&port=5432,5433`. Undefined if it can't be split.
 */
export function splitHosts(url: string): string[] | undefined {
  const [, scheme, user = "", authority = "", rest = ""] = form.exec(url) ?? [];
  if (scheme === undefined) return undefined;
  const [path = "", query = ""] = split(rest, "?");
  const listed = new URLSearchParams(query);
  const [hosts, ports] = [listed.get("host")?.split(","), listed.get("port")?.split(",")];
  const places = authority.split(",");
  const count = Math.max(hosts?.length ?? 1, places.length);
  const agree = [hosts ?? places, places, ports ?? [""]].every(({ length }) => length === 1 || length === count);
  if (!agree || (count > 1 && (hosts ?? places).includes(""))) return undefined;
  return Array.from({ length: count }, (_, index) => {
    const own = new URLSearchParams(query);
    if (hosts !== undefined) own.set("host", hosts[index] ?? hosts[0] ?? "");
    if (ports !== undefined) own.set("port", ports[index] ?? ports[0] ?? "");
    own.delete(attributes);
    const text = count === 1 && !listed.has(attributes) ? query : own.toString();
    return `${scheme}${user}${places[index] ?? places[0]}${path}${text === "" ? "" : `?${text}`}`;
  });
}

/** Which kind of server a URL asks for, in libpq's words. The service needs one that can be written to. */
export function asksForPrimary(url: string): boolean {
  const wanted = new URLSearchParams(split(url, "?")[1]).get(attributes);
  return wanted === null || ["read-write", "primary"].includes(wanted);
}

const attributes = "target_session_attrs";

/** The scheme, the user with its password, the hosts with their ports, and the rest. */
const form = /^(postgres(?:ql)?:\/\/)([^/?#]*@)?([^/?#@]*)(.*)$/s;

function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  return index < 0 ? [text, ""] : [text.slice(0, index), text.slice(index + 1)];
}
