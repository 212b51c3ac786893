import { AuthorizationService, ErrorInfoSchema } from "@authorization-service/client";
import type { ListedProject, User } from "@authorization-service/client/directory";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { ConnectError, createClient } from "@connectrpc/connect";
import { skipToken, useQuery, useTransport } from "@connectrpc/connect-query";
import { useState } from "react";
import { announce } from "../parts/announcements.tsx";
import { failureOf } from "../parts/failure.ts";
import { useRemember } from "../undo/use-remember.ts";
import { assignmentChangeWords as words } from "../words/assignment-changes.ts";
import { undoWords } from "../words/undo.ts";
import { useAskAnew } from "./changed-queries.ts";
import { newRow, whereOf } from "./new-row.ts";
import { useOneAtATime } from "./one-at-a-time.ts";
import { isUncertain } from "./uncertain.ts";
import { useIsMounted } from "./use-is-mounted.ts";

type Attempt = {
  /** The user and the place of the attempt. Its outcome says nothing about others. */
  readonly of: string;
  /** The id of the existing assignment. */
  readonly existing?: string;
  readonly isUncertain?: true;
  readonly failure?: unknown;
};

type Told = {
  readonly onOpen: (id: string) => void;
  /** The assignable roles may have changed. */
  readonly onRefused: () => void;
};

/** Creates a user's assignment in a place, unless it exists. */
export function useCreating(user: User | undefined, place: ListedProject | undefined, { onOpen, onRefused }: Told) {
  const isMounted = useIsMounted();
  const transport = useTransport();
  const askAnew = useAskAnew();
  const { keep, tell } = useRemember();
  const { isRunning, run } = useOneAtATime();
  const [attempt, setAttempt] = useState<Attempt>();
  const of = JSON.stringify([user?.id, place?.id, place?.assignableIn?.id]);
  const request =
    user && place ? { userId: user.id, projectId: place.id, organizationId: place.assignableIn?.id ?? "" } : undefined;
  const there = useQuery(AuthorizationService.method.listAuthorizations, request ? listed(request) : skipToken);
  const current = attempt?.of === of ? attempt : undefined;
  const existing = current?.existing ?? (isRunning ? undefined : there.data?.authorizations[0]?.id);

  async function send(roleKeys: string[], end: Timestamp | undefined, reason: string) {
    if (request === undefined || user === undefined || place === undefined) return;
    const name = `${user?.displayName || user?.id}`;
    const where = words.place(`${place?.name}`, `${place?.assignableIn?.name}`);
    try {
      setAttempt({ of });
      const client = createClient(AuthorizationService, transport);
      const { id, creationDate: since } = await client.createAuthorization({
        ...{ ...request, roleKeys, reason },
        ...(end && { expirationDate: end }),
      });
      const text = words.isAssigned(name, where);
      const undoable = { reason, undone: undoWords.done(undoWords.isGone(words.assignmentOf(name, where))) };
      const row = { ...newRow(user, whereOf(place)), id };
      const made = [{ what: "created" as const, row, since }];
      // Doesn't navigate if the person has moved on in the meantime.
      if (!isMounted.current) {
        keep({ ...undoable, what: text, made });
        return announce({ text, action: { label: words.open, run: () => onOpen(id) } });
      }
      tell(text, { ...undoable, made });
      onOpen(id);
    } catch (thrown) {
      const outcome = outcomeOf(ConnectError.from(thrown));
      setAttempt({ of, ...outcome });
      if (outcome.failure) onRefused();
      if (!isMounted.current)
        announce({ failed: true, text: missedText(thrown, outcome, words.forPlace(name, where)) });
    } finally {
      askAnew();
    }
  }

  /** Used after an answer was lost. */
  async function look() {
    const { data, error } = await there.refetch();
    if (error === null) setAttempt({ of });
    const id = data?.authorizations[0]?.id;
    if (id !== undefined) setAttempt({ of, existing: id });
  }

  return {
    existing,
    failure: current?.failure,
    isUncertain: existing === undefined && current?.isUncertain === true,
    isRunning,
    create: (roleKeys: string[], end: Timestamp | undefined, reason: string) => run(() => send(roleKeys, end, reason)),
    look: () => run(look),
  };
}

function outcomeOf(error: ConnectError): Omit<Attempt, "of"> {
  const info = error.findDetails(ErrorInfoSchema)[0];
  if (info?.reason === "AUTHORIZATION_EXISTS" && info.metadata.id) return { existing: info.metadata.id };
  return isUncertain(error) ? { isUncertain: true } : { failure: error };
}

/** The message for people who have left the dialog. */
function missedText(thrown: unknown, outcome: Omit<Attempt, "of">, what: string): string {
  if (outcome.isUncertain) {
    return words.uncertainCreation(what);
  }
  const { title, advice } = failureOf(thrown);
  return words.isNotCreated(what, words.why(title, advice));
}

function listed({ userId, projectId, organizationId }: { userId: string; projectId: string; organizationId: string }) {
  return {
    filters: [
      { filter: { case: "userId" as const, value: { id: userId } } },
      { filter: { case: "projectId" as const, value: { id: projectId } } },
      { filter: { case: "organizationId" as const, value: { id: organizationId } } },
    ],
  };
}
