import { Code, ConnectError, type MethodImpl } from "@connectrpc/connect";
import type { DirectoryService } from "../../gen/service/directory/v1/directory_service_pb.ts";

export function listProjects(): MethodImpl<typeof DirectoryService.method.listProjects> {
  return () => {
    throw new ConnectError("not served yet", Code.Unimplemented);
  };
}
