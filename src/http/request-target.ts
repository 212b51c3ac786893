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

/** Other paths of RPCs, each with the RPC's own path. */
export type Aliases = Map<string, string>;

/** @param services other names of services, each with the service's own name */
export function aliasPaths(
  services: ReadonlyMap<string, string>,
  rpcs: readonly { readonly requestPath: string }[],
): Aliases {
  return new Map(
    [...services].flatMap(([alias, service]) =>
      rpcs.flatMap(({ requestPath }): [string, string][] =>
        requestPath.startsWith(`/${service}/`) ? [[requestPath.replace(service, () => alias), requestPath]] : [],
      ),
    ),
  );
}
