import packageFile from "../../package.json" with { type: "json" };

/** The name and the version of the service. */
export const { name: serviceName, version } = packageFile;
