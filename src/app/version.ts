// Set by the build from package.json; the sources themselves run as "dev".
declare const HOLDFAST_VERSION: string | undefined;

export const version: string = typeof HOLDFAST_VERSION === "string" ? HOLDFAST_VERSION : "dev";
