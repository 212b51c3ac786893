import { AuthorizationsSearchFilterSchema } from "../../gen/service/authorization/v2/authorization_pb.ts";

export const methods = [
  "EQUALS",
  "EQUALS_IGNORE_CASE",
  "STARTS_WITH",
  "STARTS_WITH_IGNORE_CASE",
  "CONTAINS",
  "CONTAINS_IGNORE_CASE",
  "ENDS_WITH",
  "ENDS_WITH_IGNORE_CASE",
].map((name) => `TEXT_FILTER_METHOD_${name}`);

/** The filters that compare a text, and the field that holds it. */
export const textFields: Record<string, string> = {
  userPreferredLoginName: "loginName",
  userDisplayName: "displayName",
  projectName: "name",
  organizationName: "name",
  roleKey: "key",
};

/** The filters that hold several texts, and the field that does. */
export const listFields: Record<string, string> = {
  authorizationIds: "ids",
  inUserIds: "ids",
  projectIds: "ids",
  roleKeys: "keys",
};

/** Every kind but those that nest others. */
export const filterKinds = AuthorizationsSearchFilterSchema.fields
  .map(({ jsonName }) => jsonName)
  .filter((kind) => !["anyOf", "allOf", "not"].includes(kind));
