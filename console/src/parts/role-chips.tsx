import type { Role } from "@authorization-service/client";

/** The roles by their display names; of many, the first few and how many more there are. */
export function RoleChips({ roles, most = Number.POSITIVE_INFINITY }: { roles: readonly Role[]; most?: number }) {
  if (roles.length === 0) return <span className="muted">No roles</span>;
  const hidden = roles.slice(most);
  return (
    <ul className="chips">
      {roles.slice(0, most).map((role) => (
        <li key={role.key} className="chip" title={role.key}>
          {nameOf(role)}
        </li>
      ))}
      {hidden.length > 0 && (
        <li className="chip chip-more" title={hidden.map(nameOf).join(", ")}>
          {hidden.length} more
        </li>
      )}
    </ul>
  );
}

export function nameOf(role: Pick<Role, "key" | "displayName">): string {
  return role.displayName || role.key;
}
