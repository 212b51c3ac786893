import "../directory-changes/directory-changes.css";
import { type Token, TokenService } from "@authorization-service/client";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { ChangeFailure } from "../directory-changes/change-failure.tsx";
import { useRequest } from "../directory-changes/use-request.ts";
import { announce } from "../parts/announcements.tsx";
import { useReason } from "../reason/use-reason.tsx";
import { passOver } from "../undo/undoables.ts";
import { changeWords } from "../words/directory-changes.ts";
import { tokenWords as words } from "../words/tokens.ts";

/** Says what revoking a token takes along, and asks. */
export function RevokeTokenDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const transport = useTransport();
  const reason = useReason();
  const { isRunning, failure, request } = useRequest();

  async function revoke() {
    const { revoked } = await createClient(TokenService, transport).revokeToken({ id: token.id, reason: reason.text });
    passOver();
    announce({ text: words.revoked(revoked) });
    onClose();
  }

  return (
    <DialogFrame
      title={words.revokeTitle(token.name || words.unnamed)}
      isBusy={isRunning}
      onClose={onClose}
      form={{}}
      send={{
        label: isRunning ? words.revoking : words.revoke,
        isReady: !isRunning && !reason.isMissing,
        isDangerous: true,
        run: () => void request(revoke),
      }}
    >
      <p>{words.revokeAdvice}</p>
      {token.current && <p>{words.revokeCurrent}</p>}
      <p>{changeWords.noUndo}</p>
      {reason.field}
      <ChangeFailure failure={failure} uncertain={words.uncertain} />
    </DialogFrame>
  );
}
