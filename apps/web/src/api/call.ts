import type { InputOf, Operation, OutputOf } from '@sparechange/contract';
import { getStart } from '#tenant/current.ts';
import { ApiError, isObject, refusalIn } from './api-error.ts';
import { offerIfOutdated } from './new-version.ts';
import { passwordQuestion } from './recent-sign-in.ts';
import { endExpiredSession, getIdToken } from './session.ts';

const timeoutMs = 30_000;

interface CallOptions {
  /** Made once per intention; sending it again has no effect. */
  requestId?: string;
  /** Aborts the call once its caller has gone. */
  signal?: AbortSignal;
}

/**
 * Calls an operation of the contract and returns its output. The server has parsed it by its schema; doing so again
 * would load every screen with the schemas and their library (30 kB).
 */
export async function call<Op extends Operation>(
  operation: Op,
  input: InputOf<Op>,
  options: CallOptions = {},
): Promise<OutputOf<Op>> {
  return (await ask(operation, input, options)).output;
}

/** Returns the output with the HTTP status, such as 202 for pending. */
export async function ask<Op extends Operation>(
  operation: Op,
  input: InputOf<Op>,
  options: CallOptions = {},
): Promise<{ status: number; output: OutputOf<Op> }> {
  let answer = await send(operation, input, options, false);
  if (answer.status === 401 && operation.access === 'supporter') answer = await send(operation, input, options, true);
  let body: unknown = await answer.json().catch(() => undefined);
  if (refusalIn(body)?.code === 'requires-recent-login' && (await passwordQuestion.ask())) {
    answer = await send(operation, input, options, false);
    body = await answer.json().catch(() => undefined);
  }
  if (!answer.ok) throw await refusal(answer.status, body);
  if (body === undefined) throw new ApiError(0, 'no-answer', `${operation.name}: the answer broke off`);
  if (isObject(body)) return { status: answer.status, output: body as OutputOf<Op> };
  offerIfOutdated().catch(() => undefined); // a newer server may answer differently by then
  throw new ApiError(answer.status, 'unexpected', `${operation.name}: the answer is none of ours`);
}

async function send(operation: Operation, input: unknown, { requestId, signal }: CallOptions, freshToken: boolean) {
  const { config, settings } = getStart();
  const headers = new Headers({ apikey: settings.apikey, tenant: settings.tenant });
  if (requestId) headers.set('Idempotency-Key', requestId);
  if (operation.access === 'supporter') {
    const token = await getIdToken(freshToken);
    if (token) headers.set('Authorization', `Bearer ${token}`);
  }
  const url = new URL(`${config.api}${operation.path}`, location.origin);
  const request: RequestInit = { method: operation.method, headers, signal: limitOf(signal) };
  if (operation.method === 'GET') {
    for (const [name, value] of Object.entries(input as Record<string, unknown>)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
  } else {
    headers.set('Content-Type', 'application/json');
    request.body = JSON.stringify(input);
  }
  try {
    return await fetch(url, request);
  } catch (cause) {
    throw new ApiError(0, 'no-answer', `${operation.name}: ${String(cause)}`);
  }
}

/** Aborts after the limit or with the caller's signal; browsers older than `AbortSignal.any`, as of iOS 16, with one of them. */
function limitOf(signal: AbortSignal | undefined): AbortSignal {
  const limit = AbortSignal.timeout(timeoutMs);
  if (!signal) return limit;
  return 'any' in AbortSignal ? AbortSignal.any([limit, signal]) : signal;
}

async function refusal(status: number, body: unknown): Promise<ApiError> {
  const refused = refusalIn(body);
  if (!refused) return new ApiError(status, 'unexpected', `The server answered ${status}`);
  const { code, message, fields } = refused;
  if (code === 'signed-out') await endExpiredSession();
  return new ApiError(status, code, message, fields);
}
