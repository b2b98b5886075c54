import type { Clock } from '../contracts/index.js';
import { defaults } from '../core/defaults.js';

/** What a caller that was let through says afterwards, once. */
export interface Permit {
  succeeded(): void;
  failed(): void;
  /** The call ended for reasons of the caller: it says nothing about the service. */
  cancelled(): void;
}

export type BreakerState = 'closed' | 'open' | 'half-open';

/**
 * Keeps callers from waiting for a service that is down: opens after a number of consecutive failures, and lets one
 * probe through after each cool-down until a call succeeds.
 */
export class CircuitBreaker {
  readonly #clock: Clock;
  readonly #threshold: number;
  readonly #coolDownMs: number;
  #failures = 0;
  #openedAt: number | null = null;
  #probing = false;
  /** Counts openings and closings, so that a call begun before one says nothing after it. */
  #era = 0;

  /** Opens after `threshold` (3) consecutive failures; probes after `coolDownMs` (30,000). */
  constructor(clock: Clock, o: { threshold?: number; coolDownMs?: number } = {}) {
    this.#clock = clock;
    this.#threshold = o.threshold ?? defaults.embed.breaker.threshold;
    this.#coolDownMs = o.coolDownMs ?? defaults.embed.breaker.coolDownMs;
  }

  get state(): BreakerState {
    if (this.#openedAt === null) return 'closed';
    return this.#probing || this.#cooled(this.#openedAt) ? 'half-open' : 'open';
  }

  /** Leave to call the service, or null: it is down, or its one probe is under way. */
  acquire(): Permit | null {
    const probe = this.#openedAt !== null;
    if (this.#openedAt !== null) {
      if (this.#probing || !this.#cooled(this.#openedAt)) return null;
      this.#probing = true;
    }
    const era = this.#era;
    let told = false;
    const once = (tell: () => void) => () => {
      if (told) return;
      told = true;
      if (era !== this.#era) return;
      if (probe) this.#probing = false;
      tell();
    };
    return {
      succeeded: once(() => {
        this.#failures = 0;
        if (probe) {
          this.#openedAt = null;
          this.#era++;
        }
      }),
      failed: once(() => {
        this.#failures++;
        if (!probe && this.#failures < this.#threshold) return;
        this.#openedAt = this.#clock.now();
        this.#era++;
      }),
      cancelled: once(() => {}),
    };
  }

  /** A clock that was set back must not keep it open for longer than the cool-down. */
  #cooled(openedAt: number): boolean {
    return Math.abs(this.#clock.now() - openedAt) >= this.#coolDownMs;
  }
}
