import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useCaller } from "../caller.ts";
import { everywhere, mayChange } from "../directory/rights.ts";
import { firstStepsWords } from "../words/first-steps.ts";

const words = firstStepsWords.welcome;

/** Leads owners of everything, who see no assignment because there is none, to the first steps. Others see the children. */
export function Welcome({ children }: { children: ReactNode }) {
  const caller = useCaller();
  const isOwner = mayChange(caller, "directory.write", everywhere);
  const projects = useQuery(DirectoryService.method.listProjects, { pagination: { limit: 1 } }, { enabled: isOwner });
  if (caller === undefined || projects.isLoading) return null;
  if (projects.data === undefined) return children;
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
