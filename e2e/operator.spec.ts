import { expect, test } from '@playwright/test';
import { addDays, sydneyDay } from '@sparechange/domain';
import { nextDebitDay } from '@sparechange/domain/banking-calendar';
import { momentAfter } from '@sparechange/server/testing/timetable.ts';
import { aProduct, demo, stopProduct } from './product.ts';

interface Status {
  suspension: unknown;
  missedDebitRun: unknown;
  suspendedTenants: { tenant: string; because: string }[];
}
interface Preview {
  date: string;
  debits: number;
  totalCents: number;
  lines: { email: string; usualCents: number | null; differences: string[] }[];
}
interface Run {
  planned: number;
  totalCents: number;
  skipped: Record<string, number>;
}
interface Timeline {
  events: { at: string; sentence: string; fact: { kind: string } }[];
  auditLog: { entries: number; isWhole: boolean };
}

test('an operator looks at a run before it happens, stops a tenant, and shows a supporter’s timeline', async () => {
  const { program, ops } = await aProduct();
  expect(await ops('tenants', 'check')).toMatchObject({ tenants: 20, problems: [] });
  // On any day of the week the latest run is then over, so purchases made now wait for the next one.
  const { now } = await ops<{ now: string }>('status');
  const day = nextDebitDay(addDays(sydneyDay(new Date(now)), 1));
  await expect(() => ops('advance', '--to', momentAfter('debit-run', day))).toPass();
  await ops('sandbox', 'purchase', '--supporter', demo.email, '--amount', '4.35');
  await ops('sync', '--supporter', demo.email);

  const preview = await ops<Preview>('debit-run', '--plan');
  expect(preview).toMatchObject({ debits: 1, lines: [{ email: demo.email, usualCents: null, differences: [] }] });
  expect(await ops<Preview>('debit-run', '--plan')).toEqual(preview);

  await ops('debit-run', 'suspend', '--tenant', 'default', '--because', 'a complaint');
  expect(await ops<Status>('status')).toMatchObject({
    suspension: null,
    missedDebitRun: null,
    suspendedTenants: [{ tenant: 'default', because: 'a complaint' }],
  });
  const run = ['debit-run', '--date', preview.date];
  expect(await ops<Run>(...run)).toMatchObject({ planned: 0, skipped: { 'tenant suspended': 1 } });
  expect(await ops('debit-run', 'resume', '--tenant', 'default')).toMatchObject({ wasSuspended: true });
  expect(await ops<Run>(...run)).toMatchObject({ planned: 1, totalCents: preview.totalCents });

  await ops('advance', '--days', '7');
  const { events, auditLog } = await ops<Timeline>('supporter', 'timeline', demo.email);
  const kinds = events.map(({ fact }) => fact.kind);
  const milestones = ['registered', 'agreed to the direct debit', 'debit planned', 'debit submitted', 'debit cleared'];
  expect(kinds.filter((kind, at) => milestones.includes(kind) && kinds.indexOf(kind) === at)).toEqual(milestones);
  expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted());
  expect(auditLog.isWhole).toBe(true);
  expect(await ops('audit')).toMatchObject({ violations: [] });
  expect(await stopProduct(program)).toBe(0);
});
