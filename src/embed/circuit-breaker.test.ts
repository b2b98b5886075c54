import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.js';

function breaker() {
  const clock = { time: 1_000_000, now: () => clock.time };
  return { clock, breaker: new CircuitBreaker(clock) };
}

function fail(b: CircuitBreaker, times: number): void {
  for (let i = 0; i < times; i++) b.acquire()?.failed();
}

describe('CircuitBreaker', () => {
  it('opens after three failures in a row, not before', () => {
    const { breaker: b } = breaker();
    fail(b, 2);
    expect(b.state).toBe('closed');
    fail(b, 1);
    expect(b.state).toBe('open');
    expect(b.acquire()).toBeNull();
  });

  it('starts to count again after a success', () => {
    const { breaker: b } = breaker();
    fail(b, 2);
    b.acquire()?.succeeded();
    fail(b, 2);
    expect(b.state).toBe('closed');
  });

  it('lets one probe through after 30 seconds, and no second one meanwhile', () => {
    const { breaker: b, clock } = breaker();
    fail(b, 3);
    clock.time += 29_999;
    expect(b.acquire()).toBeNull();
    clock.time += 1;
    expect(b.state).toBe('half-open');
    const probe = b.acquire();
    expect(probe).not.toBeNull();
    expect(b.acquire()).toBeNull();
    probe?.succeeded();
    expect(b.state).toBe('closed');
    expect(b.acquire()).not.toBeNull();
  });

  it('stays open for another 30 seconds when the probe fails', () => {
    const { breaker: b, clock } = breaker();
    fail(b, 3);
    clock.time += 30_000;
    b.acquire()?.failed();
    expect(b.state).toBe('open');
    clock.time += 29_999;
    expect(b.acquire()).toBeNull();
    clock.time += 1;
    expect(b.acquire()).not.toBeNull();
  });

  it('gives the probe to the next caller when it was cancelled', () => {
    const { breaker: b, clock } = breaker();
    fail(b, 3);
    clock.time += 30_000;
    b.acquire()?.cancelled();
    expect(b.acquire()).not.toBeNull();
  });

  it('takes no notice of calls that began before it opened, nor of a second word on one call', () => {
    const { breaker: b, clock } = breaker();
    const late = b.acquire();
    fail(b, 3);
    late?.succeeded();
    expect(b.state).toBe('open');
    clock.time += 30_000;
    const probe = b.acquire();
    probe?.succeeded();
    probe?.failed();
    late?.failed();
    fail(b, 2);
    expect(b.state).toBe('closed');
  });

  it('is not kept open by a clock that was set back', () => {
    const { breaker: b, clock } = breaker();
    fail(b, 3);
    clock.time -= 3_600_000;
    expect(b.acquire()).not.toBeNull();
  });
});
