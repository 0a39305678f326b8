import { type ConsoleOperation, ErrorBody } from '@sparechange/contract/console';
import type { z } from 'zod';
import { CallProblem } from './call-problem.ts';
import { confirmation } from './confirmation.ts';
import { queryClient } from './query-client.ts';

const timeoutMs = 30_000;

/** Calls an operation; where the passkey or code is needed again, asks for it and repeats the call. */
export async function call<Op extends ConsoleOperation>(
  operation: Op,
  input: z.input<Op['input']>,
): Promise<z.output<Op['output']>> {
  let { status, body } = await send(operation, input);
  if (refusalIn(body)?.code === 'requires-recent-login' && (await confirmation.ask()))
    ({ status, body } = await send(operation, input));
  if (status >= 200 && status < 300) return operation.output.parse(body) as z.output<Op['output']>;
  const refusal = refusalIn(body);
  if (refusal?.code === 'signed-out') queryClient.setQueryData(['session'], null);
  throw new CallProblem(
    status,
    refusal?.code ?? 'unexpected',
    refusal?.message ?? 'Something unexpected happened.',
    refusal?.fields,
    operation.input,
  );
}

const refusalIn = (body: unknown) => ErrorBody.safeParse(body).data?.error;

async function send(operation: ConsoleOperation, input: unknown): Promise<{ status: number; body: unknown }> {
  const url = new URL(`/console/api${operation.path}`, location.origin);
  const request: RequestInit = {
    method: operation.method,
    headers: { 'x-sparechange-console': '1' },
    signal: AbortSignal.timeout(timeoutMs),
  };
  if (operation.method === 'GET') {
    for (const [name, value] of Object.entries(input as Record<string, unknown>))
      if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  } else {
    request.headers = { ...request.headers, 'content-type': 'application/json' };
    request.body = JSON.stringify(input);
  }
  const answer = await fetch(url, request).catch(() => {
    throw new CallProblem(0, 'no-answer', 'The server does not answer. Please check your connection and try again.');
  });
  return { status: answer.status, body: await answer.json().catch(() => undefined) }; // a proxy answers as it likes
}
