import "./actor.css";
import type { User } from "@authorization-service/client";
import { CopyButton } from "../panel/copy-button.tsx";
import { Avatar } from "../parts/avatar.tsx";
import { historyWords as words } from "../words/history.ts";
import { pageWords } from "../words/pages.ts";

/** The acting user, or the command line. */
export function Actor({ of: { actor } }: { of: { readonly actor?: User | undefined } }) {
  if (actor === undefined) {
    return (
      <span className="actor">
        <span className="avatar" aria-hidden="true">
          &gt;_
        </span>
        {words.commandLine}
      </span>
    );
  }
  return (
    <span className="actor">
      <Avatar user={actor} />
      {isRemoved(actor) ? (
        <span>
          {actor.displayName === "" ? pageWords.erasedPerson : words.removedPerson}{" "}
          <CopyButton text={actor.id} what={words.idOfPerson} />
        </span>
      ) : (
        <bdi title={actor.preferredLoginName}>{actor.displayName || actor.preferredLoginName}</bdi>
      )}
    </span>
  );
}

/** Of a removed user, the service has only the id, and says it as the display name until the user is erased. */
function isRemoved({ id, displayName, preferredLoginName }: User): boolean {
  return preferredLoginName === "" && (displayName === "" || displayName === id);
}
