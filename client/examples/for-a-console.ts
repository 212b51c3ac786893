import { AuthorizationHistoryService, CallerService } from "@authorization-service/client";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { createClient, type Transport } from "@connectrpc/connect";

/** What the caller of the transport may do, and where: one line for each permission. */
export async function whatIMay(transport: Transport): Promise<string[]> {
  const { user, permissions } = await createClient(CallerService, transport).getCaller({});
  return permissions.map(({ permission, sources }) => {
    const places = sources.map(({ scope }) => {
      switch (scope?.scope.case) {
        case "organization":
        case "project":
          return scope.scope.value.name;
        case "projectGrant":
          return `${scope.scope.value.project?.name} at ${scope.scope.value.organization?.name}`;
        case "instance":
          return "everywhere";
        default:
          return "somewhere this program does not know of";
      }
    });
    return `${user?.displayName}: ${permission}: ${places.join(", ")}`;
  });
}

/** The latest removed authorizations that the caller may know of, newest first: when, whose, for what and by whom. */
export async function lastRemovedAuthorizations(transport: Transport): Promise<string[]> {
  const { events } = await createClient(AuthorizationHistoryService, transport).listAuthorizationEvents({
    filters: [{ filter: { case: "types", value: { types: ["user.grant.removed", "user.grant.cascade.removed"] } } }],
    pagination: { limit: 10, skipTotal: true },
  });
  return events.map(({ time, user, project, actor }) => {
    const when = time === undefined ? "" : timestampDate(time).toISOString();
    return `${when}: ${user?.displayName} in ${project?.name}, by ${actor?.displayName ?? "the command line"}`;
  });
}
