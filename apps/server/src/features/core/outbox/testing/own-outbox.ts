import { pino } from 'pino';
import { beforeEach } from 'vitest';
import { ownDatabase } from '#testing/database.ts';
import { type FakeMailer, fakeMailer } from '#testing/fake-mailer.ts';
import { aClock, forgetEverything, type TestClock, type TestSupporter } from '#testing/makers.ts';
import type { Composer } from '../attempt-mail.ts';
import { type QueuedMail, queueMail } from '../outbox-repository.ts';
import type { OutboxDeps } from '../send-mails.ts';

/** Composes an email to the address in its facts. */
const compose: Composer = async ({ facts }) => {
  const { to, broken } = facts as { to: string; broken?: boolean };
  if (broken) throw new Error('a bug');
  return { to, subject: 'Hello', text: 'Text', html: '<p>Html</p>' };
};

/** Gives a test file an outbox of its own, empty before each test. */
export function ownOutbox() {
  const database = ownDatabase();
  let mailer: FakeMailer;
  let clock: TestClock;
  let deps: OutboxDeps;
  beforeEach(async () => {
    await forgetEverything(database.pool);
    mailer = fakeMailer();
    clock = aClock();
    deps = { db: database.pool, clock, log: pino({ level: 'silent' }), mailer, compose };
  });

  const later = (minutes: number) => clock.setTo(new Date(clock.now().getTime() + minutes * 60_000).toISOString());
  const queue = (key: string, facts: object = {}, overrides: Partial<QueuedMail> = {}) =>
    queueMail(overrides.supporterId ? database.pool.of(overrides.supporterId) : database.pool, {
      recipient: 'club',
      supporterId: null,
      key,
      facts: { kind: 'alarm', to: `${key}@club.test`, ...facts },
      at: clock.now(),
      isUrgent: false,
      ...overrides,
    });
  const queueTo = ({ supporterId, email: to }: TestSupporter, key = 'one', overrides: Partial<QueuedMail> = {}) =>
    queue(key, { to }, { recipient: 'supporter', supporterId, ...overrides });
  const queueMany = async (count: number, prefix = 'treasurer') => {
    for (let number = 1; number <= count; number += 1) await queue(`${prefix}${number}`);
  };
  const kept = async (key = 'one') => {
    const [row] = await database.rows`
      select attempts, sent_at is not null as sent, given_up_at is not null as given_up, failure from mails where key = ${key}`;
    return row;
  };
  /** Minutes until the email is due. */
  const dueIn = async () => {
    const [row] = await database.rows<{ due: Date }[]>`select due_at as due from mails where key = 'one'`;
    return ((row?.due.getTime() ?? 0) - clock.now().getTime()) / 60_000;
  };
  /** Moves the machine's clock by ten minutes. */
  const tenMinutesPass = () => database.rows`update mails set taken_until = now() where taken_until is not null`;
  return {
    database,
    later,
    queue,
    queueTo,
    queueMany,
    kept,
    dueIn,
    tenMinutesPass,
    get mailer() {
      return mailer;
    },
    get clock() {
      return clock;
    },
    get deps() {
      return deps;
    },
  };
}
