import { TokenService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import type { ComponentProps } from "react";
import { ListSection, Nothing } from "../directory/answered.tsx";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { Ago } from "../parts/moment.tsx";
import { tokenWords as words } from "../words/tokens.ts";
import { CreateTokenDialog, RevokeTokenDialog } from "./token-dialogs.tsx";

/** How many are listed. */
const most = 200;

type Props = { userId: string; isOwn: boolean; address?: ComponentProps<typeof DialogButton>["address"] };

/** A person's tokens. The reader may manage their own, and with rights on everything those of others. */
export function Tokens({ userId, isOwn, address }: Props) {
  const query = useQuery(TokenService.method.listTokens, { userId, pagination: { limit: most } });
  const total = query.data?.pagination?.totalResult ?? 0;
  const end = query.data?.tokens.find((token) => token.current)?.expirationDate;
  return (
    <ListSection
      title={isOwn ? words.own : words.title}
      count={query.data && total}
      actions={
        <DialogButton label={words.create} address={address}>
          {(close) => <CreateTokenDialog userId={userId} isOwn={isOwn} end={end} onClose={close} />}
        </DialogButton>
      }
      query={query}
      rowsOf={({ tokens }) => tokens}
      keyOf={({ id }) => id}
      none={words.none}
      seesAll
      rest={total > most && <Nothing>{words.notListed(total - most)}</Nothing>}
    >
      {(token) => (
        <>
          <span className="row-name">
            {token.name ? <bdi>{token.name}</bdi> : words.unnamed}
            {token.current && <span className="muted"> {words.current}</span>}
          </span>
          <span>
            {words.created} <Ago at={token.creationDate} />
          </span>
          <span>
            {words.used} {token.current ? words.now : token.lastUseDate ? <Ago at={token.lastUseDate} /> : words.never}
          </span>
          <span>
            {words.ends} {token.expirationDate ? <Ago at={token.expirationDate} /> : words.never}
          </span>
          <span className="page-actions">
            <DialogButton label={words.revoke} of={words.revokeOf(token.name || words.unnamed)}>
              {(close) => <RevokeTokenDialog token={token} onClose={close} />}
            </DialogButton>
          </span>
        </>
      )}
    </ListSection>
  );
}
