import { DirectoryService, type User } from "@authorization-service/client/directory";
import { Link } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { Administrators } from "../directory/administrators.tsx";
import { everywhere, mayChange, mayMoveOrRemovePeople, maySomewhere } from "../directory/rights.ts";
import { ThingPage } from "../directory/thing-page.tsx";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { GiveEntry } from "../directory-changes/entry-actions.tsx";
import { PersonDialog } from "../directory-changes/person-dialog.tsx";
import { PersonHistory } from "../history/history-section.tsx";
import { useOrganization } from "../history/removals.ts";
import { Avatar } from "../parts/avatar.tsx";
import { personName } from "../parts/links.tsx";
import { Tokens } from "../tokens/tokens.tsx";
import { changeWords } from "../words/directory-changes.ts";
import { offboardWords } from "../words/offboard.ts";
import { personWords as words } from "../words/person.ts";
import { PersonAssignments } from "./person-assignments.tsx";

/** Everything about one person that the reader may see. */
export function PersonPage() {
  const caller = useCaller();
  const isOwn = (id: string) => caller?.user?.id === id;
  // The reader may manage their own tokens, and with rights on everything those of others.
  const maySeeTokens = (id: string) => isOwn(id) || mayChange(caller, "directory.write", everywhere);
  return (
    <ThingPage
      kind="user"
      words={words}
      method={DirectoryService.method.listUsers}
      thingOf={({ users }) => users[0]}
      nameOf={personName}
      picture={(user) => <Avatar user={user} />}
      facts={(user) => <bdi>{user.preferredLoginName}</bdi>}
      actions={(user) => <Actions user={user} />}
    >
      {(id, user) => (
        <>
          <PersonAssignments id={id} />
          <Administrators {...words.administers} search={{ user: id }} actions={user && <GiveEntry person={user} />} />
          {user && maySeeTokens(id) && <Tokens userId={id} isOwn={isOwn(id)} />}
          <PersonHistory id={id} />
        </>
      )}
    </ThingPage>
  );
}

/** Edits or off-boards a person, for those who may. */
function Actions({ user }: { user: User }) {
  const caller = useCaller();
  const where = { organizationId: user.organizationId };
  const organization = useOrganization(user.organizationId);
  const isMovable = mayMoveOrRemovePeople(caller, where);
  return (
    <>
      {mayChange(caller, "user.write", where) && (
        <DialogButton label={changeWords.edit}>
          {(close) => <PersonDialog {...{ user, organization, isMovable }} onClose={close} />}
        </DialogButton>
      )}
      {(isMovable || maySomewhere(caller, "user.grant.write")) && (
        <Link className="button" to="/offboard" search={{ id: user.id }}>
          {offboardWords.open}
        </Link>
      )}
    </>
  );
}
