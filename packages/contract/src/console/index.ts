export { ErrorBody, type ErrorCode } from '../error-body.ts';
export * from './audit.ts';
export * from './operation.ts';
export * from './operations.ts';
export * from './paging.ts';
export * from './people.ts';
export * from './roles.ts';
export * from './session.ts';
