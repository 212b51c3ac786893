import type { DescService } from "@bufbuild/protobuf";
import { AuthorizationHistoryService } from "../../gen/service/authorization/v2/authorization_history_service_pb.ts";
import { AuthorizationService } from "../../gen/service/authorization/v2/authorization_service_pb.ts";
import { CallerService } from "../../gen/service/authorization/v2/caller_service_pb.ts";
import { CheckService } from "../../gen/service/authorization/v2/check_service_pb.ts";
import { OverviewService } from "../../gen/service/authorization/v2/overview_service_pb.ts";
import { DirectoryHistoryService } from "../../gen/service/directory/v1/directory_history_service_pb.ts";
import { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";
import { TokenService } from "../../gen/service/identity/v1/token_service_pb.ts";

/** All services with RPCs of their own. */
export const everyService: readonly DescService[] = [
  AuthorizationService,
  AuthorizationHistoryService,
  CallerService,
  CheckService,
  OverviewService,
  DirectoryService,
  DirectoryHistoryService,
  TokenService,
];
