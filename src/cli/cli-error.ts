/** A mistake in how the command was called or configured. Shown as one line with its remedy; exit code 2 unless told. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly hint: string;
  readonly exitCode: number;

  constructor(message: string, hint: string, exitCode = 2) {
    super(message);
    this.hint = hint;
    this.exitCode = exitCode;
  }
}
