import type { ComponentProps } from "react";
import { Avatar } from "../parts/avatar.tsx";

/** A person by picture, name and login name. */
export function Who({ user }: ComponentProps<typeof Avatar>) {
  return (
    <div className="thing">
      <Avatar user={user} />
      <span className="lines who">
        <bdi className="who-name">{user.displayName || user.id}</bdi>
        <bdi className="muted" title={user.preferredLoginName}>
          {user.preferredLoginName}
        </bdi>
      </span>
    </div>
  );
}
