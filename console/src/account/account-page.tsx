import type { CallerPermission } from "@authorization-service/client";
import { CallerService, type User } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Answered, Nothing } from "../directory/answered.tsx";
import { CopyId } from "../directory/copy-id.tsx";
import { HistoryLink } from "../directory/history-link.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Page, Section } from "../directory/page.tsx";
import { isLimited } from "../directory/rights.ts";
import { keyOfScope, ScopeName } from "../directory/scope-name.tsx";
import { Things } from "../directory/things.tsx";
import { Avatar } from "../parts/avatar.tsx";
import { Facts } from "../parts/facts.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { Tokens } from "../tokens/tokens.tsx";
import { accountWords as words } from "../words/account.ts";
import { administratorRole } from "../words/administrator-roles.ts";
import { chosenLanguage, isLanguage, keepLanguage, languages } from "../words/language/language.ts";
import { limitedPermissionWords, permissionWords } from "../words/permissions.ts";
import { scopeWords } from "../words/scopes.ts";

const route = getRouteApi("/account");

/** Who the reader is, and what they may do and why. */
export function AccountPage() {
  const query = useQuery(CallerService.method.getCaller, {});
  const user = query.data?.user;
  const { open } = route.useSearch();
  const navigate = route.useNavigate();
  const creating = {
    isOpen: open === "new-token",
    onChange: (isOpen: boolean) => void navigate({ search: isOpen ? { open: "new-token" } : {} }),
  };
  return (
    <Page
      name={words.title}
      picture={user && <Avatar user={user} />}
      facts={user && <CopyId id={user.id} of={words.of} />}
      about="account"
      actions={user && <HistoryLink search={{ actor: user.id }} of="yours" />}
    >
      {user && <Profile user={user} />}
      <Section title={words.permissions.title}>
        <Answered query={query}>{({ permissions }) => <Permissions permissions={permissions} />}</Answered>
      </Section>
      {user && <Tokens userId={user.id} isOwn address={creating} />}
    </Page>
  );
}

function Profile({ user }: { user: User }) {
  const organizationOf = useOrganizations([user.organizationId]);
  return (
    <>
      <Facts
        facts={{
          [words.facts.name]: <bdi>{user.displayName}</bdi>,
          [words.facts.loginName]: <bdi>{user.preferredLoginName}</bdi>,
          [words.facts.organization]: organizationOf && (
            <OrganizationLink organization={organizationOf(user.organizationId)} />
          ),
          [words.language]: <LanguageChoice />,
        }}
      />
      <Link to="/person" search={{ id: user.id }}>
        {words.everything}
      </Link>
    </>
  );
}

/** Chooses the language of the console in this browser. The page is loaded again in it. */
function LanguageChoice() {
  function choose(value: string) {
    keepLanguage(isLanguage(value) ? value : undefined);
    location.reload();
  }

  return (
    <select aria-label={words.language} value={chosenLanguage() ?? ""} onChange={({ target }) => choose(target.value)}>
      <option value="">{words.ofBrowser}</option>
      {Object.entries(languages).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** A caller may have a thousand administrator entries. */
const most = 10;

/** Each permission, with the administrator entries that give it. */
function Permissions({ permissions }: { permissions: readonly CallerPermission[] }) {
  if (permissions.length === 0) return <Nothing>{words.permissions.none}</Nothing>;
  const why = words.permissions.columns;
  return (
    <Things label={words.permissions.title} columns={[why.permission, why.why]}>
      {permissions.map(({ permission, sources }) => (
        <tr key={permission}>
          <th scope="row">
            {(isLimited(permission, sources) ? limitedPermissionWords : permissionWords)[permission] ?? permission}
          </th>
          <td>
            <ul className="lines">
              {sources.slice(0, most).map(({ scope, roles }) => (
                <li key={keyOfScope(scope)}>
                  <div>
                    {roles.map(administratorRole).join(", ")} {scopeWords.of} <ScopeName scope={scope} />
                  </div>
                </li>
              ))}
              {sources.length > most && <li className="muted">{words.permissions.more(sources.length - most)}</li>}
            </ul>
          </td>
        </tr>
      ))}
    </Things>
  );
}
