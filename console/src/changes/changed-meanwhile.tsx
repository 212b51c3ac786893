import { type Authorization, type AuthorizationEvent, State } from "@authorization-service/client";
import { Moment } from "../parts/moment.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import type { Latest } from "./latest.ts";
import { differenceOf, keysOf } from "./role-difference.ts";

type Props = { shown: Authorization; latest: Latest };

/** Shows who changed the assignment in the meantime, and what is different now. */
export function ChangedMeanwhile({ shown, latest: { now, event } }: Props) {
  if (now === undefined) {
    return (
      <p role="alert">
        {event ? <LastChange event={event} /> : "It was removed, or you may not see it any more."} Nothing was done.
      </p>
    );
  }
  const rows = differences(shown, now);
  return (
    <section className="changed-meanwhile">
      <p role="alert">
        <strong>It was changed meanwhile.</strong> {event && <LastChange event={event} />} Nothing was overwritten.
      </p>
      {rows.length === 0 ? (
        <p>It looks as it did before: what was changed in between was changed back.</p>
      ) : (
        <table className="differences">
          <thead>
            <tr>
              <th scope="col">What differs</th>
              <th scope="col">You saw</th>
              <th scope="col">Now</th>
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
  const who = event.actor ? event.actor.displayName || event.actor.id : "The command line";
  const what = deeds[event.type];
  return (
    <>
      {what ? `${who} ${what}` : `${who}: ${event.type}`}, <Moment at={event.time} />.
    </>
  );
}

const deeds: Record<string, string> = {
  "user.grant.added": "created it",
  "user.grant.changed": "changed its roles",
  "user.grant.deactivated": "deactivated it",
  "user.grant.reactivated": "activated it",
  "user.grant.removed": "deleted it",
  "user.grant.cascade.changed": "removed a role from its project or grant",
  "user.grant.cascade.removed": "removed what it was for",
};

type Row = { readonly key: string; readonly name: string; readonly before: string; readonly after: string };

function differences(shown: Authorization, now: Authorization): Row[] {
  const stateRow = { key: "", name: "State", before: stateName(shown.state), after: stateName(now.state) };
  return [...(shown.state === now.state ? [] : [stateRow]), ...roleRows(shown, now)];
}

function roleRows(shown: Authorization, now: Authorization): Row[] {
  const roles = new Map([...shown.roles, ...now.roles].map((role) => [role.key, role]));
  const { added, removed } = differenceOf(keysOf(shown), keysOf(now));
  const named = (key: string) => ({ key, name: nameOf(roles.get(key) ?? { key, displayName: "" }) });
  return [
    ...added.map((key) => ({ ...named(key), before: "No", after: "Yes" })),
    ...removed.map((key) => ({ ...named(key), before: "Yes", after: "No" })),
  ];
}

function stateName(state: State): string {
  return state === State.ACTIVE ? "Active" : "Inactive";
}
