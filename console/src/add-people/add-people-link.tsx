import { Link } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { mayChange } from "../directory/rights.ts";
import { addPeopleWords } from "../words/add-people.ts";

/** Leads to adding people to an organization from a list, for those who may. */
export function AddPeopleLink({ organizationId }: { organizationId: string }) {
  if (!mayChange(useCaller(), "user.write", { organizationId })) return null;
  return (
    <Link className="button" to="/add-people" search={{ organization: organizationId }}>
      {addPeopleWords.open}
    </Link>
  );
}
