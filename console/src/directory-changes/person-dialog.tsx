import { TextFilterMethod } from "@authorization-service/client";
import { DirectoryService, type Organization, type User, UserSchema } from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { useNamesOfOrganizations } from "../directory/organization-names.ts";
import { personName } from "../parts/links.tsx";
import { PersonFacts } from "../parts/person-facts.tsx";
import { longestText, useSettled } from "../pickers/found.ts";
import { OrganizationPicker } from "../pickers/things.tsx";
import { settings } from "../settings.ts";
import { changeWords, personChangeWords as words } from "../words/directory-changes.ts";
import { ChangeDialog } from "./change-dialog.tsx";
import { TextField, useFields } from "./text-field.tsx";
import type { Change } from "./use-change.ts";

type Props = {
  /** Undefined for a new person. */
  user?: User;
  /** Where the person belongs to, or may belong to. It may arrive after the dialog is open. */
  organization: Organization | undefined;
  /** Whether the person can be moved to another organization. */
  isMovable?: boolean;
  onDone?: (id: string) => void;
  onClose: () => void;
};

/** Adds a person, or changes one. */
export function PersonDialog({ user, organization: given, isMovable = true, onDone, onClose }: Props) {
  // As it was when the dialog was opened: what others change meanwhile is not overwritten unseen.
  const [stored] = useState(user);
  const [newId] = useState(() => crypto.randomUUID());
  const { values, field } = useFields({ ...textsOf(stored ?? create(UserSchema, { id: newId })), organization: given });
  const { organization, ...texts } = values;
  const organizationId = isMovable ? organization?.id : stored?.organizationId;
  const isComplete = texts.id !== "" && texts.preferredLoginName !== "" && organizationId !== undefined;
  const name = personName(texts);
  return (
    <ChangeDialog
      title={stored ? words.editTitle(personName(stored)) : words.addTitle}
      verb={stored ? changeWords.save : changeWords.add}
      changes={isComplete ? [upsert(texts, organizationId)] : undefined}
      {...(stored ? { shown: [upsert(textsOf(stored), stored.organizationId)] } : { isNew: true })}
      done={stored ? words.changed(name) : words.added(name)}
      onDone={() => onDone?.(texts.id)}
      onClose={onClose}
    >
      <TextField label={words.displayName} {...field("displayName")} />
      <TextField label={words.loginName} {...field("preferredLoginName")} isRequired />
      {texts.preferredLoginName !== stored?.preferredLoginName && (
        <SameLoginNames loginName={texts.preferredLoginName} id={texts.id} />
      )}
      <TextField label={words.picture} {...field("avatarUrl")} longest={2_048} />
      {isMovable && <OrganizationPicker label={words.organization} {...field("organization")} />}
      {stored && organization && organization.id !== stored.organizationId && <p>{words.moveAdvice}</p>}
      {!stored && (
        // Where people sign in with an issuer, it decides their ids.
        <details open={settings.oidc !== undefined}>
          <summary>{words.advanced}</summary>
          <TextField label={words.id} hint={words.idHint} {...field("id")} isRequired />
        </details>
      )}
    </ChangeDialog>
  );
}

type Texts = Pick<User, "id" | "displayName" | "preferredLoginName" | "avatarUrl">;

function textsOf({ id, displayName, preferredLoginName, avatarUrl }: User): Texts {
  return { id, displayName, preferredLoginName, avatarUrl };
}

/** The stored fields of a person. An upsert sets all of them. */
function upsert(texts: Texts, organizationId: string): Change {
  return { change: { case: "user", value: { ...texts, organizationId } } };
}

/** How many others are shown. */
const most = 5;

/**
 * Warns if others have this login name, or the same but for upper and lower case, but for the person with this id. It keeps
 * no one from using it: login names need not be unique. People the reader doesn't see are found only if they have exactly
 * what is typed.
 */
function SameLoginNames({ loginName, id }: { loginName: string; id: string }) {
  const typed = useSettled(loginName);
  const { EQUALS, EQUALS_IGNORE_CASE } = TextFilterMethod;
  const found = [...useWithLoginName(typed, EQUALS), ...useWithLoginName(typed, EQUALS_IGNORE_CASE)];
  const byId = new Map(found.map((user) => [user.id, user]));
  byId.delete(id);
  const others = [...byId.values()].slice(0, most);
  const organizationOf = useNamesOfOrganizations(others);
  const isSame = others.some(({ preferredLoginName }) => preferredLoginName === typed);
  return (
    <div role="status">
      {others.length > 0 && (
        <div className="note">
          <p>{isSame ? words.sameLoginName : words.similarLoginName}</p>
          <ul>
            {others.map((user) => (
              <li key={user.id}>
                <bdi>{personName(user)}</bdi> <PersonFacts user={user} organization={organizationOf(user)} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function useWithLoginName(text: string, method: TextFilterMethod): readonly User[] {
  const isAskable = text !== "" && text.isWellFormed() && !text.includes("\0") && [...text].length <= longestText;
  const filter = { case: "preferredLoginName" as const, value: { text, method } };
  const request = { filters: [{ filter }], pagination: { limit: most + 1, skipTotal: true } };
  return useQuery(DirectoryService.method.listUsers, isAskable ? request : skipToken).data?.users ?? [];
}
