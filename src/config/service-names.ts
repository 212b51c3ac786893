/** The names of all services with RPCs of their own. A list, so that reading the configuration loads no generated code. */
export const serviceNames = [
  "service.authorization.v2.AuthorizationService",
  "service.authorization.v2.AuthorizationHistoryService",
  "service.authorization.v2.CallerService",
  "service.authorization.v2.OverviewService",
  "service.directory.v1.DirectoryService",
  "service.directory.v1.DirectoryHistoryService",
  "service.identity.v1.TokenService",
];
