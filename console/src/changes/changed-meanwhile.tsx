import { type Authorization, type AuthorizationEvent, type Role, State } from "@authorization-service/client";
import { Moment } from "../parts/moment.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import type { Latest } from "./latest.ts";

type Props = {
  shown: Authorization;
  latest: Latest;
  /** The roles the person wants, by key, where roles are edited; with what there is to know of each. */
  wanted?: { readonly keys: ReadonlySet<string>; readonly roles: readonly Pick<Role, "key" | "displayName">[] };
};

/** Who changed the assignment meanwhile, and what is different: what was shown, what is now, and what is wanted. */
export function ChangedMeanwhile({ shown, latest: { now, event }, wanted }: Props) {
  if (now === undefined) {
    return (
      <p role="alert">
        {event ? <LastChange event={event} /> : "It was removed, or you may not see it any more."} Nothing was done.
      </p>
    );
  }
  const rows = differences(shown, now, wanted);
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
              {wanted && <th scope="col">You want</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, cells }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map(([column, cell]) => (
                  <td key={column}>{cell}</td>
                ))}
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

type Row = { readonly name: string; readonly cells: readonly (readonly [column: string, cell: string])[] };

function differences(shown: Authorization, now: Authorization, wanted: Props["wanted"]): Row[] {
  const stateRow: Row = {
    name: "State",
    cells: [
      ["shown", stateName(shown.state)],
      ["now", stateName(now.state)],
      ...(wanted ? [["wanted", "–"] as const] : []),
    ],
  };
  return [...(shown.state === now.state ? [] : [stateRow]), ...roleRows(shown, now, wanted)];
}

function roleRows(shown: Authorization, now: Authorization, wanted: Props["wanted"]): Row[] {
  const roles = new Map([...(wanted?.roles ?? []), ...shown.roles, ...now.roles].map((role) => [role.key, role]));
  return [...roles.values()].flatMap((role) => {
    const held = [shown, now].map((one) => one.roles.some(({ key }) => key === role.key));
    const all = wanted ? [...held, wanted.keys.has(role.key)] : held;
    if (new Set(all).size === 1) return [];
    const columns = ["shown", "now", "wanted"];
    return [
      { name: nameOf(role), cells: all.map((has, index) => [columns[index] ?? "", has ? "Yes" : "No"] as const) },
    ];
  });
}

function stateName(state: State): string {
  return state === State.ACTIVE ? "Active" : "Inactive";
}
