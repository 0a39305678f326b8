export * from './debit-eligibility.ts';
export * from './round-up.ts';
