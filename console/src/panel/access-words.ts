import type { PermissionExplanation, PermissionScope, PermissionSource } from "@authorization-service/client";

/** The person it is about: the reader, or someone by name. */
export type Subject = "you" | { readonly name: string };

/** What each permission allows, in the words for someone who has it. */
const deeds: Record<string, string> = {
  "user.grant.read": "see it",
  "user.grant.write": "change its roles and its state",
  "user.grant.delete": "delete it",
};

const either = new Intl.ListFormat("en", { type: "disjunction" });
const both = new Intl.ListFormat("en", { type: "conjunction" });

/** A sentence such as "You may not delete it". */
export function permissionInWords(permission: string, isAllowed: boolean, subject: Subject): string {
  const who = subject === "you" ? "You" : subject.name;
  return `${who} may ${isAllowed ? "" : "not "}${deeds[permission] ?? permission}`;
}

/** Sentences about where a permission comes from; empty if it is not held. */
export function reasonsInWords(explained: PermissionExplanation, own: boolean, subject: Subject): string[] {
  const isYou = subject === "you";
  const isRead = explained.permission === "user.grant.read";
  return [
    ...(own && isRead ? [isYou ? "It is your own assignment." : "It is their own assignment."] : []),
    ...explained.sources.map((source) => `${isYou ? "You hold" : "They hold"} ${sourceInWords(source, both)}.`),
    ...(explained.moreSources ? [`${isYou ? "You hold" : "They hold"} more, in places that you may not know.`] : []),
  ];
}

/** Phrases about what would give a missing permission. */
export function remediesInWords({ missing }: PermissionExplanation): string[] {
  return missing.map((source) => sourceInWords(source, either));
}

function sourceInWords({ roles, scope }: PermissionSource, joined: Intl.ListFormat): string {
  return `${joined.format(roles)} ${scopeInWords(scope)}`;
}

/** The scope of an administrator entry, in words. */
export function scopeInWords(scope: PermissionScope | undefined): string {
  switch (scope?.scope.case) {
    case "instance":
      return "for everything";
    case "organization":
      return `in the organization ${nameOf(scope.scope.value)}`;
    case "project":
      return `for the project ${nameOf(scope.scope.value)}, in the organization that owns it`;
    case "projectGrant": {
      const { id, project, organization } = scope.scope.value;
      return project && organization
        ? `for the project ${nameOf(project)}, as it is granted to ${nameOf(organization)}`
        : `for the project grant ${id}`;
    }
    default:
      return "somewhere that this page does not know";
  }
}

function nameOf({ name, id }: { name: string; id: string }): string {
  return name || id;
}
