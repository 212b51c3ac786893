import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { everywhere, mayChange } from "../directory/rights.ts";
import { firstStepsWords } from "../words/first-steps.ts";

const words = firstStepsWords.welcome;

/** Leads owners of everything, who see no assignment because there is none, to the first steps. */
export function Welcome() {
  const isOwner = mayChange(useCaller(), "directory.write", everywhere);
  const projects = useQuery(DirectoryService.method.listProjects, { pagination: { limit: 1 } }, { enabled: isOwner });
  if (projects.data === undefined) return null;
  const isBegun = (projects.data.pagination?.totalResult ?? 0) > 0;
  return (
    <section className="notice">
      <h2>{words.title}</h2>
      <p>{words.advice}</p>
      <p>
        <Link className="button primary" to="/first-steps">
          {isBegun ? words.resume : words.begin}
        </Link>
      </p>
    </section>
  );
}
