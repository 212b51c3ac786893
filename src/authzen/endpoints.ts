import type { RoleCheck } from "../authorization/role-check.ts";
import type { AuthorizationStore } from "../authorization/store.ts";
import type { PageLimits } from "../rpc/messages/page.ts";
import type { Beside } from "../rpc/router.ts";
import { evaluation, evaluations, evaluator } from "./evaluate.ts";
import { type JsonEndpoint, jsonEndpoint } from "./json-endpoint.ts";
import { paths } from "./metadata.ts";
import { search } from "./search.ts";

type Stores = { readonly authorizations: Pick<AuthorizationStore, "list">; readonly roleCheck: RoleCheck };

/**
 * The AuthZEN Authorization API 1.0 (docs/reference/authzen.md): subjects are users, resources are projects, and actions
 * are the keys of roles.
 */
export function authzenEndpoints(stores: Stores, limits: PageLimits, resourceType: string): Beside[] {
  const { list } = stores.authorizations;
  const { check, listKeys } = stores.roleCheck;
  const evaluate = evaluator(check, resourceType);
  const options = { list, listKeys, limits, resourceType };
  const answers: Record<keyof typeof paths, Omit<JsonEndpoint, "path" | "name">> = {
    access_evaluation_endpoint: { like: "CheckRoles", answer: evaluation(evaluate) },
    access_evaluations_endpoint: { like: "CheckRoles", answer: evaluations(evaluate) },
    search_subject_endpoint: { like: "ListAuthorizations", ...search("subject", options) },
    search_resource_endpoint: { like: "ListAuthorizations", ...search("resource", options) },
    search_action_endpoint: { like: "ListAuthorizations", ...search("action", options) },
  };
  return Object.entries(paths).map(([endpoint, path]) => {
    const name = path.replace("/access/v1", "authzen");
    return jsonEndpoint({ path, name, ...answers[endpoint as keyof typeof paths] });
  });
}
