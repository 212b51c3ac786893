import "./actor.css";
import type { AuthorizationEvent } from "@authorization-service/client";
import { Avatar } from "../parts/avatar.tsx";

/** The acting user, or the command line. */
export function Actor({ of: { actor } }: { of: AuthorizationEvent }) {
  if (actor === undefined) {
    return (
      <span className="actor">
        <span className="avatar" aria-hidden="true">
          &gt;_
        </span>
        Command line
      </span>
    );
  }
  return (
    <span className="actor">
      <Avatar user={actor} />
      <bdi title={actor.preferredLoginName}>{actor.displayName || actor.id}</bdi>
    </span>
  );
}
