import { AuthorizationFieldName, State } from "@authorization-service/client";
import { DirectoryService, OffboardUserRequest_Mode as Mode, type User } from "@authorization-service/client/directory";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useNavigate } from "@tanstack/react-router";
import { allMatching } from "../changes/all-matching.ts";
import { isActive } from "../compare/difference.ts";
import { useRequest } from "../directory-changes/use-request.ts";
import { asFilter } from "../filters/content.ts";
import { announce } from "../parts/announcements.tsx";
import { personName } from "../parts/links.tsx";
import { passOver, undoAction, useRemember } from "../undo/undoables.ts";
import { offboardWords as words } from "../words/offboard.ts";

/** All assignments of a person, as a list that others can ask for, too. */
export function assignmentsOf(userId: string) {
  const filters = [asFilter({ case: "userId", value: { id: userId } })];
  return { filters, sortingColumn: AuthorizationFieldName.CREATED_DATE, asc: true };
}

/** Takes what a person holds. A suspension can be undone: the service doesn't say which assignments it takes, so they are looked up. */
export function useOffboarding(user: User, mode: Mode) {
  const transport = useTransport();
  const navigate = useNavigate();
  const keep = useRemember();
  const { isRunning, failure, request } = useRequest();
  const name = personName(user);
  const read = () => allMatching(transport, assignmentsOf(user.id));
  const send = (reason: string) =>
    createClient(DirectoryService, transport).offboardUser({ userId: user.id, mode, reason });

  async function remove(reason: string) {
    await send(reason);
    passOver();
    announce({ text: words.modes.remove.done(name) });
    return navigate({ to: "/people", replace: true });
  }

  async function suspend(reason: string) {
    const before = await read();
    const { administrators } = await send(reason);
    const after = await read().catch(() => undefined);
    if (after) {
      const now = new Map(after.map((row) => [row.id, row]));
      const made = before.filter(isActive).flatMap((row) => {
        const later = now.get(row.id);
        return later?.state === State.INACTIVE ? [{ what: "state" as const, row, since: later.changeDate }] : [];
      });
      const text = words.modes.suspend.done(name);
      const kept = keep({ what: text, undone: words.undone(name), made, entries: administrators, reason });
      announce({ text, ...(kept && { action: undoAction(kept) }) });
    } else {
      // Undoing it would give back the administrator roles alone.
      passOver();
      announce({ text: words.modes.suspend.doneForGood(name) });
    }
    return navigate({ to: "/person", search: { id: user.id }, replace: true });
  }

  const run = (reason: string) => request(() => (mode === Mode.REMOVE ? remove : suspend)(reason));
  return { isRunning, failure, run };
}
