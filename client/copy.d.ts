import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type {
  WatchAuthorizationsRequestSchema,
  WatchAuthorizationsResponse,
} from "./gen/service/authorization/v2/authorization_history_service_pb.js";
import type { State } from "./gen/service/authorization/v2/authorization_pb.js";
import type {
  ListAuthorizationsRequestSchema,
  ListAuthorizationsResponse,
} from "./gen/service/authorization/v2/authorization_service_pb.js";
import type { GetCallerRequestSchema, GetCallerResponse } from "./gen/service/authorization/v2/caller_service_pb.js";

/** An assignment as a copy knows it. Names are not in the feed. */
export type CopiedAuthorization = {
  readonly id: string;
  readonly userId: string;
  readonly projectId: string;
  readonly organizationId: string;
  /** Sorted. */
  readonly roleKeys: readonly string[];
  readonly state: State;
  readonly changeDate: Timestamp;
  /** It applies before this time. The server tells of the end up to two seconds later, so compare it yourself. */
  readonly expirationDate?: Timestamp | undefined;
};

/** 0 means no deadline. */
type Options = { readonly signal: AbortSignal; readonly timeoutMs?: number };

/**
 * Clients of Connect's `createClient`, whose transports send the token. Over HTTP/2, a transport needs a `pingIntervalMs` to
 * notice that its connection is gone.
 */
export type CopyClients = {
  readonly authorizations: {
    listAuthorizations(
      request: MessageInitShape<typeof ListAuthorizationsRequestSchema>,
      options: Options,
    ): Promise<ListAuthorizationsResponse>;
  };
  readonly history: {
    watchAuthorizations(
      request: MessageInitShape<typeof WatchAuthorizationsRequestSchema>,
      options: Options,
    ): AsyncIterable<WatchAuthorizationsResponse>;
  };
  readonly caller: {
    getCaller(request: MessageInitShape<typeof GetCallerRequestSchema>, options: Options): Promise<GetCallerResponse>;
  };
};

export type CopyOptions = {
  /** Which assignments to copy; by default, everything that the caller sees. */
  readonly where?: { readonly userId?: string; readonly projectId?: string; readonly organizationId?: string };
  /** Ends the copy. */
  readonly signal?: AbortSignal;
};

/**
 * Keeps a copy of the assignments that the caller sees, by their ids. It starts a stream of changes, lists the assignments,
 * and applies each change that is newer than what was listed. After a break it continues where it was, and it lists again if
 * the caller's rights have changed or the stream can't be continued.
 *
 * Yields the copy when it is complete, and after each message of the server, at least every 15 seconds. That is the same map,
 * or another one after it was listed again. While the service can't be reached, the last copy stays as it is, and nothing is
 * yielded.
 *
 * Throws what can't pass with time, such as the ConnectError of a token that is revoked. When a token expires, it asks once more,
 * because the transport may send another one.
 */
export function keepCopy(
  clients: CopyClients,
  options?: CopyOptions,
): AsyncGenerator<ReadonlyMap<string, CopiedAuthorization>, void>;
