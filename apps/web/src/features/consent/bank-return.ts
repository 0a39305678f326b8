import { confirmConnection, readBankState } from '@sparechange/contract';
import { ApiError } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { forget, readStored, store } from '#api/stored.ts';

/** Keeps what the bank's return carries until a session of the supporter has confirmed it, also across signing in. */
export function keepBankReturn(query: URLSearchParams): void {
  const nonce = readBankState(query.get('state'))?.nonce;
  if (!nonce) return;
  store('bankNonce', nonce);
  const jobs = (query.get('jobIds') || query.get('jobId') || '').split(',').slice(0, 10);
  store('bankJobs', jobs.join(','));
}

export const keptNonce = (): string | undefined => readStored('bankNonce');

/**
 * Stands by the return in this session. Where that is refused the accounts stay away, and the page asks to verify. Throws
 * where there is no answer, and keeps the return: without it another bank's accounts would be left out unnoticed.
 */
export async function confirmBankReturn(cdrid: string): Promise<void> {
  const nonce = readStored('bankNonce');
  const jobIds = readStored('bankJobs')?.split(',') ?? [readStored('jobId') ?? ''].filter(Boolean);
  if (!nonce || jobIds.length === 0) return;
  try {
    await call(confirmConnection, { cdrid, nonce, jobIds });
    forget('bankNonce');
    forget('bankJobs');
  } catch (error) {
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) throw error;
    console.error(error);
  }
}
