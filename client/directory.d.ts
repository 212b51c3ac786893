// Apart from index.js, because both have a User, a Project, an Organization and an Authorization.
export * from "./gen/service/directory/v1/change_pb.js";
export * from "./gen/service/directory/v1/directory_history_service_pb.js";
export * from "./gen/service/directory/v1/directory_service_pb.js";
export * from "./gen/service/directory/v1/look_up_pb.js";
