import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import { useCallerQuery } from "../caller.ts";
import { everywhere, mayChange } from "../directory/rights.ts";
import { assignmentWords } from "../words/assignments.ts";
import { firstStepsWords } from "../words/first-steps.ts";

const words = firstStepsWords.welcome;

/** Leads owners of everything, who see no assignment because there is none, to the first steps. Tells others why. */
export function Welcome() {
  const { data: caller, isPending } = useCallerQuery();
  const isOwner = mayChange(caller, "directory.write", everywhere);
  const projects = useQuery(DirectoryService.method.listProjects, { pagination: { limit: 1 } }, { enabled: isOwner });
  if (isPending || projects.isLoading) return null;
  const isBegun = (projects.data?.pagination?.totalResult ?? 0) > 0;
  return (
    <section className="notice">
      <h2>{projects.data ? words.title : assignmentWords.empty}</h2>
      <p>{projects.data ? words.advice : assignmentWords.emptyAdvice}</p>
      {projects.data && (
        <p>
          <Link className="button primary" to="/first-steps">
            {isBegun ? words.resume : words.begin}
          </Link>
        </p>
      )}
    </section>
  );
}
