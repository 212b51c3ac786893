export * from "./gen/google/rpc/error_details_pb.js";
export * from "./gen/service/authorization/v2/authorization_history_service_pb.js";
export * from "./gen/service/authorization/v2/authorization_pb.js";
export * from "./gen/service/authorization/v2/authorization_service_pb.js";
export * from "./gen/service/authorization/v2/caller_service_pb.js";
export * from "./gen/service/authorization/v2/overview_service_pb.js";
export * from "./gen/service/filter/v2/filter_pb.js";
export * from "./gen/service/identity/v1/token_service_pb.js";
