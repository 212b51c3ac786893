import "../directory-changes/directory-changes.css";
import { type Token, TokenService } from "@authorization-service/client";
import { createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useState } from "react";
import { DialogFrame } from "../changes/dialog-frame.tsx";
import { ChangeFailure } from "../directory-changes/change-failure.tsx";
import { TextField } from "../directory-changes/text-field.tsx";
import { announce } from "../parts/announcements.tsx";
import { changeWords } from "../words/directory-changes.ts";
import { tokenWords as words } from "../words/tokens.ts";
import { useTokenChange } from "./use-token-change.ts";

/** Says what revoking a token takes along, and asks. */
export function RevokeTokenDialog({ token, onClose }: { token: Token; onClose: () => void }) {
  const transport = useTransport();
  const [reason, setReason] = useState("");
  const { isRunning, failure, change } = useTokenChange();

  async function revoke() {
    const { revoked } = await createClient(TokenService, transport).revokeToken({ id: token.id, reason });
    announce({ text: words.revoked(revoked) });
    onClose();
  }

  return (
    <DialogFrame
      title={words.revokeTitle(token.name || words.unnamed)}
      isBusy={isRunning}
      onClose={onClose}
      actions={
        <button type="button" className="danger" aria-disabled={isRunning} onClick={() => void change(revoke)}>
          {isRunning ? words.revoking : words.revoke}
        </button>
      }
    >
      <div className="change-form">
        <p>{words.revokeAdvice}</p>
        <p>{changeWords.noUndo}</p>
        <TextField label={changeWords.reason} value={reason} onChange={setReason} longest={500} />
        <ChangeFailure failure={failure} uncertain={words.uncertain} />
      </div>
    </DialogFrame>
  );
}
