import { type Token, TokenService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import type { ComponentProps } from "react";
import { Answered, Nothing } from "../directory/answered.tsx";
import { Section } from "../directory/page.tsx";
import { Things } from "../directory/things.tsx";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { Ago } from "../parts/moment.tsx";
import { tokenWords as words } from "../words/tokens.ts";
import { CreateTokenDialog } from "./create-token-dialog.tsx";
import { RevokeTokenDialog } from "./revoke-token-dialog.tsx";

/** More than anyone can have through the API. */
const most = 200;

type Props = { userId: string; isOwn: boolean; address?: ComponentProps<typeof DialogButton>["address"] };

/** A person's tokens. The reader may manage their own, and with rights on everything those of others. */
export function Tokens({ userId, isOwn, address }: Props) {
  const query = useQuery(TokenService.method.listTokens, { userId, pagination: { limit: most } });
  const total = query.data?.pagination?.totalResult ?? 0;
  const current = query.data?.tokens.find((token) => token.current);
  return (
    <Section
      title={isOwn ? words.own : words.title}
      count={query.data && total}
      actions={
        <DialogButton label={words.create} {...(address && { address })}>
          {(close) => <CreateTokenDialog userId={userId} isOwn={isOwn} end={current?.expirationDate} onClose={close} />}
        </DialogButton>
      }
    >
      <Answered query={query} shape={{ rows: 4, columns: 3 }}>
        {({ tokens }) => (tokens.length === 0 ? <Nothing>{words.none}</Nothing> : <Table tokens={tokens} />)}
      </Answered>
      {total > most && <Nothing>{words.notListed(total - most)}</Nothing>}
    </Section>
  );
}

function Table({ tokens }: { tokens: readonly Token[] }) {
  return (
    <Things
      label={words.title}
      columns={[words.columns.name, words.columns.created, words.columns.used, words.columns.ends]}
      hasActions
    >
      {tokens.map((token) => (
        <tr key={token.id}>
          <th scope="row">
            {token.name ? <bdi>{token.name}</bdi> : words.unnamed}
            {token.current && <span className="muted"> {words.current}</span>}
          </th>
          <td>
            <span className="cell-label">{words.columns.created}</span> <Ago at={token.creationDate} />
          </td>
          <td>
            <span className="cell-label">{words.columns.used}</span>{" "}
            {token.current ? words.now : token.lastUseDate ? <Ago at={token.lastUseDate} /> : words.never}
          </td>
          <td>
            <span className="cell-label">{words.columns.ends}</span>{" "}
            {token.expirationDate ? <Ago at={token.expirationDate} /> : words.never}
          </td>
          <td className="cell-actions">
            <DialogButton label={words.revoke} of={words.revokeOf(token.name || words.unnamed)}>
              {(close) => <RevokeTokenDialog token={token} onClose={close} />}
            </DialogButton>
          </td>
        </tr>
      ))}
    </Things>
  );
}
