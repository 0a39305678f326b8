import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { addDays, isoDate } from '@sparechange/domain';
import { queueDebitNotices } from '@sparechange/server/features/collections/next-debit/queue-debit-notices.ts';
import { timeOf } from '@sparechange/server/testing/timetable.ts';
import { postgresPid, processorMs, processorMsOfAll } from './processor-time.ts';
import { answerOf, startPart } from './start-part.ts';
import { rounded } from './stopwatch.ts';
import { type SupportersDatabase, withSupporters } from './with-supporters.ts';

const runDate = isoDate('2026-11-30');
const eveningBefore = timeOf('debit-notice', addDays(runDate, -1));

/** Queues what is mailed on the evening before a run. */
export const queueEvening = ({ pool, tenants }: Pick<SupportersDatabase, 'pool' | 'tenants'>) =>
  queueDebitNotices({ db: pool, clock: { now: () => eveningBefore }, tenants }, runDate);

/** Starts a mail server that accepts every email, in a process of its own. */
export async function openMailServer() {
  const program = spawn(process.execPath, [fileURLToPath(new URL('mail-sink.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const port = Number(await answerOf(program));
  return {
    pid: program.pid ?? Number.NaN,
    url: `smtp://127.0.0.1:${port}`,
    close: () => void program.stdin.end(),
  };
}

/** Emails a second, and the milliseconds of processor time that each email takes. */
interface MailRate {
  mails: number;
  perSecond: number;
  workerMs: number;
  postgresMs: number;
  mailServerMs: number;
}

interface MailOptions {
  workers: number;
  /** Signs each email by DKIM, as where the mail server does not. */
  isSigned?: boolean;
}

/** Sends an evening's emails by some workers, each a process of its own. */
async function sendEvening(
  { pool, tenants, url, folder }: SupportersDatabase,
  options: MailOptions,
): Promise<MailRate> {
  const { workers, isSigned = false } = options;
  const mailServer = await openMailServer();
  const settings = { buckets: pool.scope.buckets, smtp: mailServer.url, signed: isSigned ? 'yes' : 'no' };
  const parts = await Promise.all(Array.from({ length: workers }, () => startPart('mails', url, settings)));
  try {
    await pool`delete from mails`;
    await queueEvening({ pool, tenants });
    await pool`vacuum analyze`;
    const postgres = await postgresPid(folder);
    const times = () =>
      Promise.all([
        Promise.all(parts.map(({ pid }) => processorMs(pid))).then((each) => each.reduce((sum, ms) => sum + ms, 0)),
        processorMsOfAll(postgres),
        processorMs(mailServer.pid),
      ]);
    const before = await times();
    const start = performance.now();
    const ends = await Promise.all(parts.map(({ go }) => go()));
    const seconds = (performance.now() - start) / 1_000;
    const after = await times();
    const mails = ends.reduce((sum, { done }) => sum + done, 0);
    const msEach = (at: 0 | 1 | 2) => rounded((after[at] - before[at]) / mails, 3);
    return {
      mails,
      perSecond: rounded(mails / seconds, 1),
      workerMs: msEach(0),
      postgresMs: msEach(1),
      mailServerMs: msEach(2),
    };
  } finally {
    for (const { end } of parts) end();
    mailServer.close();
  }
}

/** Hours that a million emails would take at a rate. */
const hoursOfMillion = ({ perSecond }: MailRate) => rounded(1_000_000 / perSecond / 3_600);

/** Measures in how many hours two workers would send a million emails, by a sample of supporters. */
export function measureMillion(sample: number) {
  return withSupporters(sample, async (prepared) => {
    const rate = await sendEvening(prepared, { workers: 2 });
    return { workers: 2, hours: hoursOfMillion(rate), atMost: 2, ...rate };
  });
}

/** The least that one worker sends a second, to a mail server on the same machine. */
const atLeast = 500;

/** Measures emails a second to a mail server on the same machine: one worker, one that also signs, and two. */
export function measureMails(supporters: number, buckets: number) {
  return withSupporters(
    supporters,
    async (prepared) => {
      const oneWorker = await sendEvening(prepared, { workers: 1 });
      const signing = await sendEvening(prepared, { workers: 1, isSigned: true });
      const twoWorkers = await sendEvening(prepared, { workers: 2 });
      return { atLeast, oneWorker, signing, twoWorkers, hoursOfMillion: hoursOfMillion(twoWorkers) };
    },
    { buckets },
  );
}
