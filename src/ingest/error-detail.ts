/** What a file system error says, as short as can be: its code, such as `EACCES`. */
export function errorDetail(error: unknown): string {
  if (error instanceof Error) {
    return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
  }
  return String(error);
}
