import { CorvidError, type ErrorCode } from '../errors.js';

/** Classes of failure that callers treat differently. */
export type EmbedErrorKind = 'unavailable' | 'timeout' | 'bad-response' | 'rejected' | 'auth';

/** What an embedder did wrong, and what may be done about it. Its code is `embedder-` and the kind. */
export class EmbedError extends CorvidError {
  readonly kind: EmbedErrorKind;
  /** Whether the same request may succeed a moment later. */
  readonly retryable: boolean;
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Whether one text may be the cause, so that the others are worth another request without it. */
  readonly divisible: boolean;
  /** Whether a text was refused because the model's window does not hold it, so that its halves are worth a request. */
  readonly tooLong: boolean;

  /** Whether the vectors have another width than those in the store: the model behind the name has changed. */
  readonly otherWidth: boolean;

  constructor(
    kind: EmbedErrorKind,
    message: string,
    o: {
      hint?: string;
      cause?: unknown;
      retryable?: boolean;
      retryAfterMs?: number | undefined;
      divisible?: boolean;
      tooLong?: boolean;
      otherWidth?: boolean;
    } = {},
  ) {
    super(`embedder-${kind}` satisfies ErrorCode, message, o);
    this.kind = kind;
    this.retryable = o.retryable ?? false;
    this.retryAfterMs = o.retryAfterMs;
    this.tooLong = o.tooLong ?? false;
    this.otherWidth = o.otherWidth ?? false;
    this.divisible = o.divisible ?? (kind === 'rejected' || kind === 'bad-response');
  }
}
