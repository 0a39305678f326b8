import { accounts, checkJob, findJobs, getUser, retrieveAccounts } from '@sparechange/contract';
import { useEffect, useReducer } from 'react';
import { ApiError } from '#api/api-error.ts';
import { ask, call } from '#api/call.ts';
import { store } from '#api/stored.ts';
import { type Caller, useCaller } from '#features/identity/caller.tsx';
import { confirmBankReturn } from './bank-return.ts';
import {
  advance,
  type Connection,
  type ConnectionEvent,
  type FailureCause,
  pollEveryMs,
  startConnection,
} from './connection.ts';

/** Does the present step's work and advances with its answer. */
export function useConnection(jobId: string | undefined, start = startConnection): Connection {
  const { userId, cdrid } = useCaller();
  const [connection, dispatch] = useReducer(advance, jobId, start);

  useEffect(() => {
    let isCurrent = true;
    const settle = (event: ConnectionEvent) => isCurrent && dispatch(event);
    perform(connection, { userId, cdrid }).then(
      (event) => event && settle(event),
      (error: unknown) => settle({ type: 'failed', cause: failureCause(error) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [connection, userId, cdrid]);

  return connection;
}

async function perform(connection: Connection, caller: Caller): Promise<ConnectionEvent | undefined> {
  const { cdrid } = caller;
  switch (connection.step) {
    case 'searching': {
      return findJob(caller);
    }
    case 'checking': {
      store('jobId', connection.jobId);
      const { status } = await ask(checkJob, { jobId: connection.jobId, cdrid });
      return { type: status === 202 ? 'job pending' : 'job done' };
    }
    case 'waiting':
      await new Promise((resolve) => setTimeout(resolve, pollEveryMs));
      return { type: 'waited' };
    case 'retrieving':
      await confirmBankReturn(cdrid);
      await call(retrieveAccounts, { cdrid });
      return { type: 'accounts retrieved' };
    case 'retrieving once': {
      await confirmBankReturn(cdrid);
      // The job is not done, so that there are none yet means that this try, too, was too early.
      await call(retrieveAccounts, { cdrid });
      const { documents } = (await call(accounts, { userId: cdrid })).accountsData;
      return documents.length > 0 ? { type: 'accounts retrieved' } : { type: 'failed', cause: 'no_answer_yet' };
    }
    case 'connected':
    case 'verification':
      return undefined;
  }
}

/** The provider lists jobs of recent days only: a supporter who connected earlier has no job to wait for. */
async function findJob({ userId, cdrid }: Caller): Promise<ConnectionEvent> {
  try {
    return { type: 'job found', jobId: (await call(findJobs, { cdrid })).jobId };
  } catch (error) {
    const cause = failureCause(error);
    const isConnected = cause === 'no_job' && (await hasAccounts({ userId, cdrid }));
    return isConnected ? { type: 'connected before' } : { type: 'failed', cause };
  }
}

async function hasAccounts({ userId, cdrid }: Caller): Promise<boolean> {
  const user = (await call(getUser, { userId })).userRecord.document;
  return user.isConsent && (await call(accounts, { userId: cdrid })).accountsData.documents.length > 0;
}

/** The cause and next step, beside the Verification state's words. */
export const causeWords: Record<FailureCause, string> = {
  declined: 'You stopped at your bank. Nothing was shared.',
  failed_at_bank: "Your bank didn't finish connecting. Retry takes you back there.",
  unreachable: 'Your bank cannot be reached just now. Please retry in a few minutes.',
  no_job: "Your bank isn't connected yet. Retry takes you there.",
  no_answer_yet: "Your bank hasn't confirmed yet. Retry takes you back there.",
};

/** Reads why asking about a bank connection failed. */
function failureCause(error: unknown): FailureCause {
  if (!(error instanceof ApiError)) return 'unreachable';
  if (error.code === 'bank-declined') return 'declined';
  if (error.status === 404) return 'no_job';
  return error.status === 409 ? 'failed_at_bank' : 'unreachable';
}
