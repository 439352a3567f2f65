// The one error of this folder. Its message is always a single line that can be shown as it is: printed before the
// server exits when it stops a start, or sent as an error reply when it answers CONFIG SET or CONFIG REWRITE.

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}
