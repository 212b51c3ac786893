import {
  CallerService,
  type ExplainAccessResponse,
  type PermissionExplanation,
  type PermissionScope,
  type PermissionSource,
} from "@authorization-service/client";
import type { User } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { UserPicker } from "../pickers/things.tsx";
import { administratorRole } from "../words/administrator-roles.ts";
import { locale } from "../words/language/language.ts";
import { panelWords, accessWords as words } from "../words/panel.ts";

/**
 * Why the caller sees an assignment, and what they may do with it. Callers who may read there can also pick someone
 * else.
 */
export function Access({ id }: { id: string }) {
  const [user, setUser] = useState<User>();
  const asked = { authorizationId: id, userId: user?.id ?? "" };
  const { data, error, refetch } = useQuery(CallerService.method.explainAccess, asked);
  const mayRead = data?.permissions.some(({ permission, held }) => permission === "user.grant.read" && held);
  return (
    <section>
      <h3>{words.title}</h3>
      {error ? (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <p className="muted">{panelWords.loading}</p>
      ) : (
        <Explanation answer={data} subject={user ? { name: user.displayName || user.id } : "you"} />
      )}
      {(mayRead || user) && <UserPicker label={words.ofAnother} value={user} onChange={setUser} />}
    </section>
  );
}

/** What someone may do with an assignment, why, and what is missing. */
function Explanation({ answer, subject }: { answer: ExplainAccessResponse; subject: Subject }) {
  return (
    <ul className="access stack">
      {answer.permissions.map((explained) => {
        const { permission, held } = explained;
        const isAllowed = held || (permission === "user.grant.read" && answer.own);
        return (
          <li key={permission} data-allowed={isAllowed}>
            <strong>{permissionInWords(permission, isAllowed, subject)}</strong>
            {reasonsInWords(explained, answer.own, subject).map((reason) => (
              <span key={reason}>{reason}</span>
            ))}
            {!isAllowed && (
              <details>
                <summary>{words.missing}</summary>
                <p>{words.oneOf}</p>
                <ul>
                  {remediesInWords(explained).map((text) => (
                    <li key={text}>{text}</li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        );
      })}
    </ul>
  );
}

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
