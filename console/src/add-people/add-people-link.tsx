import { Link } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { mayChange, maySomewhere } from "../directory/rights.ts";
import { addPeopleWords } from "../words/add-people.ts";

/** Leads to adding people from a list, to an organization or to one to pick, for those who may. */
export function AddPeopleLink({ organizationId }: { organizationId: string | undefined }) {
  const caller = useCaller();
  const isAllowed =
    organizationId === undefined
      ? maySomewhere(caller, "user.write")
      : mayChange(caller, "user.write", { organizationId });
  if (!isAllowed) return null;
  return (
    <Link
      className="button"
      to="/add-people"
      search={organizationId === undefined ? {} : { organization: organizationId }}
    >
      {addPeopleWords.open}
    </Link>
  );
}
