/**
 * The path of a request target exactly as it was sent, without the query and, in targets such as `http://host/path`,
 * without the scheme and the host. Nothing is decoded or resolved, so each path has only one spelling, and a proxy's
 * rules about paths hold here, too. Undefined for any other target, for example one with a fragment.
 */
export function exactPath(target: string): string | undefined {
  return targetForm.exec(target)?.groups?.path;
}

/** The host is a plain name or an address: after anything else, URL parsers disagree about where the path begins. */
const targetForm = /^(?:https?:\/\/(?:[a-z\d._~-]+|\[[a-f\d:.]+\])(?::\d*)?)?(?<path>\/[^?#]*)(?:\?[^#]*)?$/i;

/**
 * The path of an RPC under its service's own name. Undefined if the path has no other name.
 *
 * @param services other names of services, each with the service's own name
 */
export function ownPath(path: string, services: ReadonlyMap<string, string>): string | undefined {
  const [, alias = "", rpc] = /^\/([^/]+)(\/.*)$/.exec(path) ?? [];
  const service = services.get(alias);
  return service && `/${service}${rpc}`;
}
