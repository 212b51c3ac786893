import { type CreateTokenResponse, type Token, TokenService } from "@authorization-service/client";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { useQuery, useTransport } from "@connectrpc/connect-query";
import { type ComponentProps, useState } from "react";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { ListSection, Nothing } from "../directory/answered.tsx";
import { RequestDialog } from "../directory-changes/change-dialog.tsx";
import { DialogButton } from "../directory-changes/dialog-button.tsx";
import { TextField } from "../directory-changes/text-field.tsx";
import { CopyButton } from "../panel/copy-button.tsx";
import { Ago, Moment } from "../parts/moment.tsx";
import { settings } from "../settings.ts";
import { passOver } from "../undo/undoables.ts";
import { changeWords } from "../words/directory-changes.ts";
import { locale } from "../words/language/language.ts";
import { tokenWords as words } from "../words/tokens.ts";

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

type CreateProps = {
  userId: string;
  isOwn: boolean;
  /** When the token ends that the new one must not outlive, if there is one. */
  end: Timestamp | undefined;
  onClose: () => void;
};

/** Creates a token, and then shows it: the service doesn't keep it, so this is the only time. */
function CreateTokenDialog({ userId, isOwn, end, onClose }: CreateProps) {
  const client = createClient(TokenService, useTransport());
  const [name, setName] = useState("");
  const [now] = useState(() => Date.now());
  const offered = lifetimes(settings.longestTokenSeconds, end, now);
  const [chosen, setChosen] = useState<number>();
  const lifetime = offered.find(({ seconds }) => seconds === chosen) ?? presetOf(offered);
  const [created, setCreated] = useState<CreateTokenResponse>();

  const create = async (reason: string) => {
    const asked = lifetime && { lifetime: { seconds: BigInt(lifetime.seconds) } };
    setCreated(await client.createToken({ name, userId, reason, ...asked }));
    passOver();
    return undefined;
  };

  if (created) {
    return (
      <DialogFrame title={words.createdTitle(isOwn)} onClose={onClose} closeLabel={words.close}>
        <div className="note">
          <p>{words.onlyNow}</p>
          <code>{created.token}</code>
          <CopyButton text={created.token} what={words.theToken} />
        </div>
        <p>
          {words.ends} <Moment at={created.expirationDate} />
        </p>
      </DialogFrame>
    );
  }
  return (
    <RequestDialog
      title={words.createTitle}
      verb={words.create}
      isReady={name.trim() !== ""}
      uncertain={words.uncertain}
      run={create}
      onClose={onClose}
    >
      <TextField label={words.name} hint={words.nameHint} value={name} isRequired onChange={setName} />
      <label className="field">
        {words.lifetime}
        <select value={lifetime?.seconds} onChange={({ target }) => setChosen(Number(target.value))}>
          {offered.map(({ seconds, name: title }) => (
            <option key={seconds} value={seconds}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {end && <p className="hint">{words.shorterThanYours}</p>}
    </RequestDialog>
  );
}

/** Says what revoking a token takes along, and asks. */
function RevokeTokenDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const client = createClient(TokenService, useTransport());
  return (
    <RequestDialog
      title={words.revokeTitle(token.name || words.unnamed)}
      verb={words.revoke}
      isDangerous
      uncertain={words.uncertain}
      run={async (reason) => words.revoked((await client.revokeToken({ id: token.id, reason })).revoked)}
      onClose={onClose}
    >
      <p>{words.revokeAdvice}</p>
      {token.current && <p>{words.revokeCurrent}</p>}
      <p>{changeWords.noUndo}</p>
    </RequestDialog>
  );
}

/** A lifetime that a new token can have. */
type Lifetime = { readonly seconds: number; readonly name: string };

const day = 86_400;
const usual = [1, 7, 30, 90, 365].map((days) => days * day);
const units = [
  ["day", day],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/**
 * The lifetimes that the server gives a new token, ascending: the usual ones, and the longest if it is shorter than those.
 *
 * @param longest the longest that the server accepts, in seconds
 * @param end when the token ends that the reader signed in with: theirs end no later
 */
function lifetimes(longest: number, end: Timestamp | undefined, now: number): Lifetime[] {
  const left = end === undefined ? Number.POSITIVE_INFINITY : Math.floor((timestampMs(end) - now) / 1_000);
  const most = Math.min(longest, left);
  const offered = usual.filter((seconds) => seconds <= most).map((seconds) => ({ seconds, name: lasting(seconds) }));
  if (left <= 0 || usual.includes(most) || most > 365 * day) return offered;
  return [...offered, { seconds: most, name: left < longest ? words.asLongAsYours : lasting(most) }];
}

/** 90 days, or the longest that is shorter. */
function presetOf(offered: readonly Lifetime[]): Lifetime | undefined {
  return offered.findLast(({ seconds }) => seconds <= 90 * day);
}

/** In the largest unit without a rest. */
function lasting(seconds: number): string {
  const [unit, length] = units.find(([, length]) => seconds % length === 0) ?? units[3];
  return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(seconds / length);
}
