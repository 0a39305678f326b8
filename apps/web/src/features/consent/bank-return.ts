import { confirmConnection, readBankState } from '@sparechange/contract';
import { ApiError } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { forget, readStored, store } from '#api/stored.ts';

/**
 * Keeps the data of a return from the bank until a session of the supporter has confirmed it, also across a sign-in.
 */
export function keepBankReturn(query: URLSearchParams): void {
  const nonce = readBankState(query.get('state'))?.nonce;
  if (!nonce) return;
  store('bankNonce', nonce);
  const jobs = (query.get('jobIds') || query.get('jobId') || '').split(',').slice(0, 10);
  store('bankJobs', jobs.join(','));
}

export const keptNonce = (): string | undefined => readStored('bankNonce');

/**
 * Confirms the return in this session. On a refusal the accounts are not used, and the page asks to verify. Throws
 * without an answer, and keeps the return: another bank's accounts would otherwise be missing unnoticed.
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
