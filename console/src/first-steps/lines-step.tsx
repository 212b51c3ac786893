import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { CopyButton } from "../panel/copy-button.tsx";
import { firstStepsWords } from "../words/first-steps.ts";
import { curlLines, packages, typescriptLines } from "./lines.ts";
import type { StepProps } from "./step-props.ts";

const words = firstStepsWords.lines;

/** The lines with which programs ask for the assignments. */
export function LinesStep({ progress: { organization, project, assignments } }: StepProps) {
  if (organization === undefined || project === undefined) return null;
  const asked = { baseUrl: location.origin, projectId: project.id, organizationId: organization.id };
  const filters = [{ projectId: { id: project.id } }, { organizationId: { id: organization.id } }];
  return (
    <>
      <p>{words.advice(assignments)}</p>
      <p>
        {words.token}{" "}
        <Link to="/account" search={{ open: "new-token" }}>
          {words.toAccount}
        </Link>
      </p>
      <Lines title={words.curl} text={curlLines(asked)} what={words.copiesCurl} />
      <Lines title={words.typescript} text={typescriptLines(asked)} what={words.copiesTypescript} />
      <p>
        {words.install}: <code>{packages}</code>
      </p>
      <div className="page-actions">
        <Link className="button" to="/assignments" search={{ filters }}>
          {words.table}
        </Link>
      </div>
    </>
  );
}

function Lines({ title, text, what }: { title: string; text: string; what: string }) {
  const heading = useId();
  return (
    <section className="lines-to-copy" aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3> <CopyButton text={text} what={what} />
      <pre>
        <code>{text}</code>
      </pre>
    </section>
  );
}
