import { TextFilterMethod } from "@authorization-service/client";
import { DirectoryService, type User } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { useNamesOfOrganizations } from "../directory/organization-names.ts";
import { personName } from "../parts/links.tsx";
import { PersonFacts } from "../parts/person-facts.tsx";
import { longestText, useSettled } from "../pickers/found.ts";
import { personChangeWords as words } from "../words/directory-changes.ts";
import { plainLoginName } from "./plain-login-name.ts";

type Props = {
  loginName: string;
  /** The id of the person who is to have it. */
  id: string;
};

/** How many others are shown. */
const most = 5;

/**
 * Warns if others have this login name, or one that looks like it. That keeps no one from using it: login names need not be
 * unique.
 *
 * The look-ups find people only by what they are asked for, so it finds others who have exactly what is typed or its plain
 * form: anywhere if the reader may assign roles, and in any case among the people the reader sees. Others whose login name
 * only has the same plain form, such as one with an accent when none is typed, are not found.
 */
export function SameLoginNames({ loginName, id }: Props) {
  const typed = useSettled(loginName);
  const plain = plainLoginName(typed);
  const { EQUALS, EQUALS_IGNORE_CASE } = TextFilterMethod;
  const found = [
    useWithLoginName(typed, EQUALS),
    useWithLoginName(plain, EQUALS),
    useWithLoginName(typed, EQUALS_IGNORE_CASE),
    useWithLoginName(plain, EQUALS_IGNORE_CASE),
  ].flat();
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
