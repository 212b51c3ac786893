import type { ListedProject, Organization } from "@authorization-service/client/directory";
import { Link } from "@tanstack/react-router";
import { useId } from "react";
import { Section } from "../directory/page.tsx";
import { CopyButton } from "../panel/copy-button.tsx";
import { firstStepsWords } from "../words/first-steps.ts";
import { curlLines, packages, typescriptLines } from "./lines.ts";

const words = firstStepsWords.lines;

/** The lines with which programs ask for the assignments. */
export function LinesStep({ organization, project }: { organization: Organization; project: ListedProject }) {
  const asked = { baseUrl: location.origin, projectId: project.id, organizationId: organization.id };
  return (
    <Section title={firstStepsWords.steps.lines}>
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
    </Section>
  );
}

function Lines({ title, text, what }: { title: string; text: string; what: string }) {
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <div className="line">
        <h3 id={heading}>{title}</h3>
        <CopyButton text={text} what={what} />
      </div>
      <pre className="lines-to-copy">
        <code>{text}</code>
      </pre>
    </section>
  );
}
