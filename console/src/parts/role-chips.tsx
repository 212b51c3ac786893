import type { Role } from "@authorization-service/client";
import { partWords as words } from "../words/parts.ts";

/** The fields that all messages for roles have in common. */
type Named = Pick<Role, "key" | "displayName">;

/** The roles by display name. If there are many, the first few and the number of the others. */
export function RoleChips({ roles, most = Number.POSITIVE_INFINITY }: { roles: readonly Named[]; most?: number }) {
  if (roles.length === 0) return <span className="muted">{words.noRoles}</span>;
  const hidden = roles.slice(most);
  return (
    <ul className="chips">
      {roles.slice(0, most).map((role) => (
        <li key={role.key} className="chip" title={role.displayName ? `${role.displayName} (${role.key})` : role.key}>
          <bdi>{nameOf(role)}</bdi>
        </li>
      ))}
      {hidden.length > 0 && (
        <li className="chip muted" title={hidden.map(nameOf).join(", ")}>
          {words.more(hidden.length)}
        </li>
      )}
    </ul>
  );
}

export function nameOf(role: Named): string {
  return role.displayName || role.key;
}
