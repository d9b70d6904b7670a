/** What is configured cannot be; one line for each thing, each with what, where, and what to do about it. */
export class ConfigError extends Error {
  override name = "ConfigError" as const;
}
