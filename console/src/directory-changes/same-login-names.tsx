import { TextFilterMethod } from "@authorization-service/client";
import { DirectoryService, type User } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { useNamesOfOrganizations } from "../directory/organization-names.ts";
import { personName } from "../parts/links.tsx";
import { PersonFacts } from "../parts/person-facts.tsx";
import { longestText, useSettled } from "../pickers/found.ts";
import { personChangeWords as words } from "../words/directory-changes.ts";

/** How many others are shown. */
const most = 5;

/**
 * Warns if others have this login name, or the same but for upper and lower case, but for the person with this id. It keeps
 * no one from using it: login names need not be unique. People the reader doesn't see are found only if they have exactly
 * what is typed.
 */
export function SameLoginNames({ loginName, id }: { loginName: string; id: string }) {
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
