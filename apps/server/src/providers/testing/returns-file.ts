import type { ReturnCode } from '@sparechange/domain';
import { headerLayout, totalLayout } from '../direct-entry/aba.ts';
import { packRecord } from '../direct-entry/record.ts';
import { returnLayout } from '../direct-entry/returns.ts';

export interface TestReturn {
  reference: string;
  code: ReturnCode | ' ' | 0;
  amountCents: number;
  /** Two digits; 20 unless said otherwise. */
  originalDay?: string;
  userId?: string;
  /** The customer's account in front, ours behind. */
  isSwapped?: boolean;
}

const ours = { bsb: '032-000', account: '123456' };
const customers = { bsb: '062-000', account: '12345678' };

function lineOf({
  reference,
  code,
  amountCents,
  originalDay = '20',
  userId = '123456',
  isSwapped,
}: TestReturn): string {
  const [front, back] = isSwapped ? [customers, ours] : [ours, customers];
  return packRecord(returnLayout, {
    type: '2',
    ...front,
    indicator: String(code),
    code: '13',
    amount: String(amountCents),
    title: 'SMITH JOAN',
    reference,
    traceBsb: back.bsb,
    traceAccount: back.account,
    remitter: 'SPARECHANGE',
    originalDay,
    originalUserId: userId,
  });
}

/** Returns a file of returns in the ABA returns format. */
export function aReturnsFile(returns: TestReturn[], date = '231126'): string {
  const header = { type: '0', reel: '01', bank: 'NAB', userName: 'SPARECHANGE', userId: '123456' };
  const total = { type: '7', bsb: '999-999', net: '0', credits: '0', debits: '0', count: String(returns.length) };
  return [
    packRecord(headerLayout, { ...header, description: 'RETURNS', processOn: date }),
    ...returns.map(lineOf),
    packRecord(totalLayout, total),
  ].join('\r\n');
}
