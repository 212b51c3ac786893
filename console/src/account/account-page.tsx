import { CallerService, type User } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Answered } from "../directory/answered.tsx";
import { CopyId } from "../directory/copy-id.tsx";
import { HistoryLink } from "../directory/history-link.tsx";
import { useOrganizations } from "../directory/organization-names.ts";
import { Page, Section } from "../directory/page.tsx";
import { Avatar } from "../parts/avatar.tsx";
import { Facts } from "../parts/facts.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { Tokens } from "../tokens/tokens.tsx";
import { accountWords as words } from "../words/account.ts";
import { chosenLanguage, isLanguage, keepLanguage, languages } from "../words/language/language.ts";
import { Permissions } from "./permissions.tsx";

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
