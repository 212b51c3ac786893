import { Link } from "@tanstack/react-router";
import { firstStepsWords } from "../words/first-steps.ts";
import type { FirstStepsSearch } from "./search.ts";

/** Leads to another step without a change. */
export function Next({ search }: { search: FirstStepsSearch }) {
  return (
    <Link className="button" to="/first-steps" search={search}>
      {firstStepsWords.next}
    </Link>
  );
}
