import { accounts, checkJob, findJobs, retrieveAccounts } from '@sparechange/contract';
import { useEffect, useReducer } from 'react';
import { ask, call } from '#api/call.ts';
import { store } from '#api/stored.ts';
import { advance, type Connection, type ConnectionEvent, pollEveryMs, startConnection } from './connection.ts';

/** Does what the connection's present step asks for, and moves it on with the answer. */
export function useConnection(jobId: string | undefined, cdrid: string, start = startConnection): Connection {
  const [connection, dispatch] = useReducer(advance, jobId, start);

  useEffect(() => {
    let isCurrent = true;
    const settle = (event: ConnectionEvent) => isCurrent && dispatch(event);
    perform(connection, cdrid).then(
      (event) => event && settle(event),
      () => settle({ type: 'failed' }),
    );
    return () => {
      isCurrent = false;
    };
  }, [connection, cdrid]);

  return connection;
}

async function perform(connection: Connection, cdrid: string): Promise<ConnectionEvent | undefined> {
  switch (connection.step) {
    case 'searching': {
      const { jobId } = await call(findJobs, { cdrid });
      return { type: 'job found', jobId };
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
      await call(retrieveAccounts, { cdrid });
      return { type: 'accounts retrieved' };
    case 'retrieving once': {
      // The job is not done, so that there are none yet means that this try, too, was too early.
      await call(retrieveAccounts, { cdrid });
      const { documents } = (await call(accounts, { userId: cdrid })).accountsData;
      return { type: documents.length > 0 ? 'accounts retrieved' : 'failed' };
    }
    case 'connected':
    case 'verification':
      return undefined;
  }
}
