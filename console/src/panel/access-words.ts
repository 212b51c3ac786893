import type { PermissionExplanation, PermissionScope, PermissionSource } from "@authorization-service/client";
import { administratorRole } from "../words/administrator-roles.ts";
import { locale } from "../words/language/language.ts";
import { accessWords as words } from "../words/panel.ts";

/** The person it is about: the reader, or someone by name. */
export type Subject = "you" | { readonly name: string };

const either = new Intl.ListFormat(locale, { type: "disjunction" });
const both = new Intl.ListFormat(locale, { type: "conjunction" });

/** A sentence such as "You can't delete it". */
export function permissionInWords(permission: string, isAllowed: boolean, subject: Subject): string {
  const who = subject === "you" ? words.you : subject.name;
  return (isAllowed ? words.may : words.mayNot)(who, words.deeds[permission] ?? permission);
}

/** Sentences about where a permission comes from; empty if it is not held. */
export function reasonsInWords(explained: PermissionExplanation, own: boolean, subject: Subject): string[] {
  const who = subject === "you" ? "you" : "they";
  const isRead = explained.permission === "user.grant.read";
  return [
    ...(own && isRead ? [words.own[who]] : []),
    ...explained.sources.map((source) => words.holds[who](sourceInWords(source, both))),
    ...(explained.moreSources ? [words.holdsMore[who]] : []),
  ];
}

/** Phrases about what would give a missing permission. */
export function remediesInWords({ missing }: PermissionExplanation): string[] {
  return missing.map((source) => sourceInWords(source, either));
}

function sourceInWords({ roles, scope }: PermissionSource, joined: Intl.ListFormat): string {
  return words.source(joined.format(roles.map(administratorRole)), scopeInWords(scope));
}

/** The scope of an administrator entry, in words. */
export function scopeInWords(scope: PermissionScope | undefined): string {
  switch (scope?.scope.case) {
    case "instance":
      return words.scopes.everything;
    case "organization":
      return words.scopes.organization(nameOf(scope.scope.value));
    case "project":
      return words.scopes.project(nameOf(scope.scope.value));
    case "projectGrant": {
      const { id, project, organization } = scope.scope.value;
      return project && organization
        ? words.scopes.grant(nameOf(project), nameOf(organization))
        : words.scopes.unnamedGrant(id);
    }
    default:
      return words.scopes.unknown;
  }
}

function nameOf({ name, id }: { name: string; id: string }): string {
  return name || id;
}
