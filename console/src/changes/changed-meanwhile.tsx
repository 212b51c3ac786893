import {
  type Authorization,
  type AuthorizationEvent,
  AuthorizationHistoryService,
  State,
} from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { Moment } from "../parts/moment.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { conflictWords as words } from "../words/assignment-changes.ts";
import { differenceOf, keysOf } from "./role-difference.ts";

type Props = { shown: Authorization; now: Authorization | undefined };

/** Shows who changed the assignment in the meantime, and what is different now. */
export function ChangedMeanwhile({ shown, now }: Props) {
  const { data, isPending } = useQuery(
    AuthorizationHistoryService.method.listAuthorizationEvents,
    {
      filters: [{ filter: { case: "authorizationId", value: { id: shown.id } } }],
      pagination: { limit: 1, skipTotal: true },
    },
    // It is nice to know who it was, but not needed to decide.
    { retry: false, gcTime: 0 },
  );
  const event = data?.events[0];
  // An alert is read once, so it waits for all of its text.
  if (isPending) return null;
  if (now === undefined) {
    return (
      <p role="alert">
        {event ? <LastChange event={event} /> : words.removed} {words.nothingDone}
      </p>
    );
  }
  const rows = differences(shown, now);
  return (
    <section className="stack">
      <p role="alert">
        <strong>{words.changed}</strong> {event && <LastChange event={event} />} {words.nothingOverwritten}
      </p>
      {rows.length === 0 ? (
        <p>{words.changedBack}</p>
      ) : (
        <table className="differences">
          <thead>
            <tr>
              <th scope="col">{words.heads.what}</th>
              <th scope="col">{words.heads.before}</th>
              <th scope="col">{words.heads.after}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, before, after }) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function LastChange({ event }: { event: AuthorizationEvent }) {
  return (
    <>
      {saidOf(event)}, <Moment at={event.time} />.
    </>
  );
}

function saidOf({ type, actor }: AuthorizationEvent): string {
  // No one does it.
  if (type === "user.grant.expired") return words.ended;
  const who = actor ? actor.displayName || actor.id : words.commandLine;
  const what = words.deeds[type];
  return what ? words.did(who, what) : words.didUnknown(who, type);
}

type Row = { readonly key: string; readonly name: string; readonly before: string; readonly after: string };

function differences(shown: Authorization, now: Authorization): Row[] {
  const stateRow = { key: "", name: words.state, before: stateName(shown.state), after: stateName(now.state) };
  return [...(shown.state === now.state ? [] : [stateRow]), ...roleRows(shown, now)];
}

function roleRows(shown: Authorization, now: Authorization): Row[] {
  const roles = new Map([...shown.roles, ...now.roles].map((role) => [role.key, role]));
  const { added, removed } = differenceOf(keysOf(shown), keysOf(now));
  const named = (key: string) => ({ key, name: nameOf(roles.get(key) ?? { key, displayName: "" }) });
  return [
    ...added.map((key) => ({ ...named(key), before: words.no, after: words.yes })),
    ...removed.map((key) => ({ ...named(key), before: words.yes, after: words.no })),
  ];
}

function stateName(state: State): string {
  return state === State.ACTIVE ? words.active : words.inactive;
}
