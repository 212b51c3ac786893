import "./actor.css";
import type { User } from "@authorization-service/client";
import { Avatar } from "../parts/avatar.tsx";

/** The acting user, or the command line. */
export function Actor({ of: { actor } }: { of: { readonly actor?: User | undefined } }) {
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
