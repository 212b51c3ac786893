import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Removable } from "../history/removals.ts";
import { RemovedPage } from "../history/removed-page.tsx";
import { OrganizationLink } from "../parts/links.tsx";
import { useShown } from "../parts/use-shown.ts";
import { Answered } from "./answered.tsx";
import { CopyId } from "./copy-id.tsx";
import { useOrganizations } from "./organization-names.ts";
import { Page } from "./page.tsx";
import { withId } from "./requests.ts";
import { readThingSearch } from "./search.ts";

type Props<Request extends DescMessage, Answer extends DescMessage, Thing> = {
  kind: Removable;
  words: { readonly kind: string; readonly notFound: string; readonly notFoundAdvice: string };
  method: DescMethodUnary<Request, Answer>;
  thingOf: (answer: MessageShape<Answer>) => Thing | undefined;
  nameOf: (thing: Thing) => string;
  /** What the page is called, if not as the thing. */
  titleOf?: (thing: Thing) => string;
  picture?: (thing: Thing) => ReactNode;
  /** What identifies it, beside its name and its id. */
  facts?: (thing: Thing) => ReactNode;
  actions?: (thing: Thing) => ReactNode;
  /** The sections. Those that need only the id ask at once. */
  children: (id: string, thing: Thing | undefined) => ReactNode;
};

/** The page about the person, project or organization with the id that is in the address. */
export function ThingPage<Request extends DescMessage, Answer extends DescMessage, Thing extends object>(
  props: Props<Request, Answer, Thing>,
) {
  const { kind, words, method, thingOf, nameOf, titleOf = nameOf, picture, facts, actions } = props;
  const { id = "" } = readThingSearch(useSearch({ strict: false }));
  const query = useQuery(method, withId(id) as unknown as MessageInitShape<Request>, { enabled: id !== "" });
  const { answer } = useShown(query);
  const thing = answer && thingOf(answer);
  const organizationId = thing && "organizationId" in thing ? String(thing.organizationId) : undefined;
  const organizationOf = useOrganizations([organizationId]);
  if (id === "" || (answer && thing === undefined)) return <RemovedPage kind={kind} id={id} words={words} />;
  const owner = organizationId !== undefined && organizationOf && (
    <OrganizationLink key="owner" organization={organizationOf(organizationId)} />
  );
  return (
    <Page
      key={id}
      name={thing ? titleOf(thing) : words.kind}
      kind={thing && words.kind}
      within={owner ? [owner] : []}
      picture={thing && picture?.(thing)}
      facts={
        thing && (
          <>
            {facts?.(thing)}
            <CopyId id={id} of={nameOf(thing)} />
          </>
        )
      }
      about={id}
      actions={thing && actions?.(thing)}
    >
      <Answered query={query} shape={{ rows: 0 }}>
        {() => null}
      </Answered>
      {props.children(id, thing)}
    </Page>
  );
}
