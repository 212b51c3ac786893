import type { Readers } from "./readers.ts";
import { serviceNames } from "./service-names.ts";

/** Other names for services, each with the service's own name. */
export type ServiceAliases = ReadonlyMap<string, string>;

const name = "SERVICE_ALIASES";
const fallback = "zitadel.authorization.v2.AuthorizationService=service.authorization.v2.AuthorizationService";

export function readAliases(read: Readers, problems: string[]): ServiceAliases {
  const aliases = new Map<string, string>();
  for (const [alias, service] of read.pairsOrNone(name, fallback)) {
    const problem = problemOf(alias, service, aliases);
    if (problem !== undefined) problems.push(`${name}: ${problem}`);
    aliases.set(alias, service);
  }
  return aliases;
}

function problemOf(alias: string, service: string, earlier: ServiceAliases): string | undefined {
  if (earlier.has(alias)) return `${alias} must be there only once`;
  if (serviceNames.includes(alias)) return `${alias} is a service itself, so it can't be another name`;
  if (alias.startsWith("grpc.")) return `${alias} must not begin with grpc., because such names are gRPC's own`;
  if (!serviceNames.includes(service)) return `there is no service ${service}: use one of ${serviceNames.join(", ")}`;
  return undefined;
}
