import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { defaults } from '../core/defaults.js';

/** Names a worker: host, process, and a random part, since process numbers come again. */
export function newLease(): string {
  return `${hostname()}|${process.pid}|${randomBytes(6).toString('hex')}`;
}

/**
 * Whether the worker of a lease, last used at `takenAt`, may still be at work. Nothing is known of another host, which
 * may be a container that is gone, and a process number may be another process's by now: so a lease ends after a time
 * that no batch takes.
 */
export function isAlive(lease: string, takenAt: number, now: number): boolean {
  if (Math.abs(now - takenAt) > defaults.embed.maxLeaseMs) return false;
  const [host, pid] = lease.split('|');
  if (host !== hostname()) return true;
  // Another store of this process, unless it is older than the process.
  if (Number(pid) === process.pid) return takenAt >= now - process.uptime() * 1000;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
