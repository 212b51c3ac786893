import type { Organization } from "@authorization-service/client/directory";
import { useCaller } from "../caller.ts";
import { mayChange } from "../directory/rights.ts";
import { NamedActions } from "../directory-changes/named-actions.tsx";
import { namedChangeWords as words } from "../words/directory-changes.ts";

/** Renames or removes an organization, for those who may. */
export function OrganizationActions({ organization }: { organization: Organization }) {
  const { id, name } = organization;
  if (!mayChange(useCaller(), "org.write", { organizationId: id })) return null;
  return (
    <NamedActions
      name={name}
      consequences={words.removeOrganizationAdvice}
      remove={{ case: "organizationId", value: id }}
      after="/organizations"
      changeTo={(name) => ({ change: { case: "organization", value: { id, name } } })}
    />
  );
}
