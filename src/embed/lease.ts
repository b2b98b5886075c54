import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Names a worker: host, process, and a random part, since process numbers come again. */
export function newLease(): string {
  return `${hostname()}|${process.pid}|${randomBytes(6).toString('hex')}`;
}

/** Whether the worker of a lease may still be at work. One on another host is trusted; one of this process is known. */
export function isAlive(lease: string, own: ReadonlySet<string>): boolean {
  const [host, pid] = lease.split('|');
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return own.has(lease);
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
