import { type Authorization, AuthorizationService } from "@authorization-service/client";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { ConnectError, createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useState } from "react";
import { announce } from "../parts/announcements.tsx";
import { failureOf, reasonOf } from "../parts/failure.ts";
import { assignmentChangeWords, rolesWords as words } from "../words/assignment-changes.ts";
import { assignmentName } from "./assignment-name.ts";
import { useAskAnew } from "./changed-queries.ts";
import { type Latest, latestOf } from "./latest.ts";
import { useOneAtATime } from "./one-at-a-time.ts";
import { appliedTo, differenceOf, isNoDifference, keysOf } from "./role-difference.ts";
import { isSameMoment } from "./same-moment.ts";
import { isUncertain } from "./uncertain.ts";
import { useIsMounted } from "./use-is-mounted.ts";

/** What keeps the roles from being saved. */
export type Problem =
  | { readonly case: "changed"; readonly latest: Latest }
  | { readonly case: "uncertain" }
  | { readonly case: "unsaved" }
  | { readonly case: "failed"; readonly error: unknown };

type Told = {
  /** `since` is the change date that saving gave it. */
  readonly onSaved: (wanted: ReadonlySet<string>, since: Timestamp | undefined) => void;
  /** The assignable roles may have changed. */
  readonly onRefused: () => void;
};

/** Editing of roles: the original roles, the wanted ones, and the outcome of saving. */
export function useRoleEditing(shown: Authorization, { onSaved, onRefused }: Told) {
  const isMounted = useIsMounted();
  const transport = useTransport();
  const askAnew = useAskAnew();
  const { isRunning, run } = useOneAtATime();
  const [base, setBase] = useState(shown);
  const [wanted, setWanted] = useState(() => keysOf(shown));
  const [problem, setProblem] = useState<Problem>();
  const difference = differenceOf(keysOf(base), wanted);

  async function save(reason: string) {
    setProblem(undefined);
    try {
      const request = { id: base.id, roleKeys: [...wanted].toSorted(), ifUnchangedSince: base.changeDate, reason };
      const { changeDate } = await createClient(AuthorizationService, transport).updateAuthorization(request);
      onSaved(wanted, changeDate);
    } catch (error) {
      if (!isMounted.current) return announce({ failed: true, text: missedText(error, base) });
      const problem = await problemOf(error);
      if (problem.case === "failed") onRefused();
      setProblem(problem);
    } finally {
      askAnew();
    }
  }

  async function problemOf(error: unknown): Promise<Problem> {
    const reason = reasonOf(ConnectError.from(error));
    if (reason === "AUTHORIZATION_CHANGED" || reason === "AUTHORIZATION_NOT_FOUND") {
      const latest = await latestOf(transport, base.id).catch(() => undefined);
      return latest ? { case: "changed", latest } : { case: "failed", error };
    }
    return isUncertain(error) ? { case: "uncertain" } : { case: "failed", error };
  }

  /** Used after an answer was lost: checks whether the assignment is still the same. */
  async function look() {
    try {
      const latest = await latestOf(transport, base.id);
      if (latest.now && isSameMoment(latest.now.changeDate, base.changeDate)) setProblem({ case: "unsaved" });
      else if (latest.now && isNoDifference(differenceOf(keysOf(latest.now), wanted))) {
        onSaved(wanted, latest.now.changeDate);
      } else setProblem({ case: "changed", latest });
    } catch {
      setProblem({ case: "uncertain" });
    } finally {
      askAnew();
    }
  }

  /** Continues with someone else's version and the same difference. The next click saves it. */
  function startFrom(now: Authorization) {
    setWanted(appliedTo(keysOf(now), difference));
    setBase(now);
    setProblem(undefined);
  }

  return {
    base,
    wanted,
    setWanted,
    difference,
    problem,
    isRunning,
    save: (reason: string) => run(() => save(reason)),
    look: () => run(look),
    startFrom,
  };
}

/** The message for people who have left the dialog. */
function missedText(error: unknown, base: Authorization): string {
  const name = assignmentName(base);
  if (isUncertain(error)) return assignmentChangeWords.uncertain(name, words.saved);
  const { title, advice } = failureOf(error);
  return words.isNotSaved(name, assignmentChangeWords.why(title, advice));
}
