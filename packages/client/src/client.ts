import { ErrorBody } from '@sparechange/contract/error-body';
import { type ProgramOperation, programOperations } from '@sparechange/contract/programs';
import type { z } from 'zod';

type Operations = typeof programOperations;
type InputOf<Name extends keyof Operations> = z.input<Operations[Name]['input']>;
type OutputOf<Name extends keyof Operations> = z.output<Operations[Name]['output']>;

/** One function for each operation of the contract. */
export type Client = { [Name in keyof Operations]: (input: InputOf<Name>) => Promise<OutputOf<Name>> };

export interface ClientSettings {
  /** The product's address, such as https://sparechange.example. */
  url: string | URL;
  /** The API key. */
  key: string;
  /** Milliseconds until a call without an answer is given up. */
  timeoutMs?: number;
}

/** A call that was answered with a refusal. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  readonly status: number;
  /** Undefined where the answer is not the product's. */
  readonly body: ErrorBody['error'] | undefined;
  readonly retryAfterSeconds: number | undefined;
  constructor(response: Response, body: ErrorBody['error'] | undefined) {
    super(body?.message ?? `The call was answered with status ${response.status}.`);
    this.status = response.status;
    this.body = body;
    const after = response.headers.get('retry-after') ?? '';
    this.retryAfterSeconds = /^\d+$/.test(after) ? Number(after) : undefined; // a proxy may name a time instead
  }
}

/** Returns the request of an operation: fields of the path, then the query or the body. */
function requestOf({ method, path }: ProgramOperation, input: Record<string, unknown>, { url, key }: ClientSettings) {
  const rest = { ...input };
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    delete rest[name];
    return encodeURIComponent(String(input[name]));
  });
  const target = new URL(`/api${filled}`, url);
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (method === 'PATCH')
    return { target, method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(rest) };
  for (const [name, value] of Object.entries(rest))
    if (value !== undefined) target.searchParams.set(name, String(value));
  return { target, method, headers };
}

async function call(operation: ProgramOperation, input: Record<string, unknown>, settings: ClientSettings) {
  const { target, ...init } = requestOf(operation, input, settings);
  const response = await fetch(target, { ...init, signal: AbortSignal.timeout(settings.timeoutMs ?? 30_000) });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new CallRefused(response, ErrorBody.safeParse(answer).data?.error);
  return operation.output.parse(answer);
}

/** Makes a client of the contract's operations; throws CallRefused where a call is refused. */
export const makeClient = (settings: ClientSettings): Client =>
  Object.fromEntries(
    Object.entries(programOperations).map(([name, operation]) => [
      name,
      (input: Record<string, unknown>) => call(operation, input, settings),
    ]),
  ) as unknown as Client;

interface Page<Item> {
  items: Item[];
  next: string | null;
}

/** Yields the items of every page of a list, asking for a page when it is needed. */
export async function* eachOf<Input extends object, Item>(
  list: (input: Input & { cursor?: string }) => Promise<Page<Item>>,
  input: Input,
): AsyncGenerator<Item> {
  for (let next: string | null = ''; next !== null; ) {
    const page: Page<Item> = await list(next === '' ? input : { ...input, cursor: next });
    yield* page.items;
    next = page.next;
  }
}
