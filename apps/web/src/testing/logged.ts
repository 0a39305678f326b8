import { vi } from 'vitest';

let isExpected = false;

/** Declares that this test logs an error: it is not printed, and the test fails if none is logged. */
export function logsAnError(): void {
  isExpected = true;
  vi.mocked(console.error).mockImplementation(() => undefined);
}

/** Returns whether the test that ends declared an error. */
export function takeExpected(): boolean {
  const was = isExpected;
  isExpected = false;
  return was;
}
