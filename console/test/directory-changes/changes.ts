import { type ApplyChangesRequest, ApplyChangesRequestSchema } from "@authorization-service/client/directory";
import { toJson } from "@bufbuild/protobuf";
import { vi } from "vitest";
import { world } from "../directory/world.ts";
import type { FakeService } from "../support/console.tsx";

/** The world, with a record of the changes that were asked for. `answer` answers dry runs and real runs. */
export function changingWorld(answer: (request: ApplyChangesRequest) => object = () => ({})) {
  const applyChanges = vi.fn((request: ApplyChangesRequest) => answer(request));
  const told = world();
  const service: FakeService = { ...told, directory: { ...told.directory, applyChanges } };
  const requests = () => applyChanges.mock.calls.map(([request]) => request);
  const asJson = (isWanted: (request: ApplyChangesRequest) => boolean) =>
    requests()
      .filter(isWanted)
      .map((request) => toJson(ApplyChangesRequestSchema, request));
  return {
    service,
    applied: () => asJson(({ dryRun }) => !dryRun),
    /** Without those that only ask for the version. */
    counted: () => asJson(({ dryRun, changes }) => dryRun && changes.length > 0),
  };
}
