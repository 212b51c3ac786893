import { AuthorizationService, CallerService } from "@authorization-service/client";

/** The services of the first calls. Reading the descriptions of their messages takes long enough to be a step of its own. */
export const services = [AuthorizationService, CallerService];
