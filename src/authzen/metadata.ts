import { type ConsoleFiles, representation } from "../console/console-files.ts";

/** The default paths of the AuthZEN Authorization API 1.0, by their names in the metadata. */
export const paths = {
  access_evaluation_endpoint: "/access/v1/evaluation",
  access_evaluations_endpoint: "/access/v1/evaluations",
  search_subject_endpoint: "/access/v1/search/subject",
  search_resource_endpoint: "/access/v1/search/resource",
  search_action_endpoint: "/access/v1/search/action",
} as const;

/**
 * The metadata, at the path that follows from the URL: a path in the URL comes after the well-known one. Empty without a
 * URL, because a client's Host header must not decide where other clients send their tokens.
 */
export function metadataFiles(publicUrl: string | undefined): ConsoleFiles {
  if (publicUrl === undefined) return new Map();
  const [, path = ""] = /^https:\/\/[^/]+(.*)$/.exec(publicUrl) ?? [];
  const endpoints = Object.entries(paths).map(([name, path]) => [name, publicUrl + path]);
  const metadata = { policy_decision_point: publicUrl, ...Object.fromEntries(endpoints) };
  const file = {
    headers: { "content-type": "application/json", "cache-control": "public, max-age=3600" },
    plain: representation(Buffer.from(JSON.stringify(metadata))),
    compressed: new Map(),
  };
  return new Map([[`/.well-known/authzen-configuration${path}`, file]]);
}
