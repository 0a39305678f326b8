export * from './debit-eligibility.ts';
export * from './pauses.ts';
export * from './payments.ts';
export * from './recorded-round-ups.ts';
export * from './round-up.ts';
export * from './statement-line.ts';
export * from './weeks.ts';
