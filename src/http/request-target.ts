/**
 * The path of a request target exactly as it was sent: only the query is cut off, and in a target such as
 * `http://host/path` the scheme and the host. Nothing is decoded or resolved, so each path has one spelling and a proxy's
 * rules about paths hold here too. Undefined for every other target, one with a fragment for example.
 */
export function exactPath(target: string): string | undefined {
  return targetForm.exec(target)?.groups?.path;
}

/** The host is a plain name or an address: readers of URLs disagree about where a path begins behind anything else. */
const targetForm = /^(?:https?:\/\/(?:[a-z\d._~-]+|\[[a-f\d:.]+\])(?::\d*)?)?(?<path>\/[^?#]*)(?:\?[^#]*)?$/i;
