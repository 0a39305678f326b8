export * from './days.ts';
export * from './description.ts';
export * from './eligibility.ts';
export * from './masking.ts';
export * from './money.ts';
export * from './round-up.ts';
export * from './savings-share.ts';
export * from './weekly-limit.ts';
