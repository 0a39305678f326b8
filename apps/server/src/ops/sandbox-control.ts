import { z } from 'zod';
import type { Runtime } from '#compose.ts';
import { CommandProblem } from './operate.ts';

/** Speaks to the sandbox's control panel; refused where there is no sandbox. */
export async function controlSandbox<Output extends z.ZodType>(
  { config }: Runtime,
  path: string,
  body: unknown,
  output: Output,
): Promise<z.output<Output>> {
  if (!config.sandbox) throw new CommandProblem('There is no sandbox here: this command is for development only.');
  const response = await fetch(`${config.sandbox.controlUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  }).catch(() => {
    throw new CommandProblem(`The sandbox does not answer at ${config.sandbox?.url}; start the product first.`);
  });
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw new CommandProblem(`The sandbox refused: ${JSON.stringify(answer)}`);
  return output.parse(answer);
}

export const anything = z.unknown();
