import { ownProcess, type WorkLimits } from './own-process.ts';

export interface Drawing {
  svg: string;
  /** Pixels across; without it the picture has the size that it names. */
  width?: number | undefined;
}

const pictures = ownProcess(new URL('./pictures-program.ts', import.meta.url), {
  cpuMs: 2_000,
  wallMs: 20_000,
  memoryMb: 256,
  maxWaiting: 30,
});

/** Draws one picture after the other as PNG, in a process of its own. */
export async function drawPng(
  svg: string,
  { width, ...limits }: Partial<WorkLimits> & { width?: number } = {},
): Promise<Buffer> {
  const drawing: Drawing = { svg, width };
  return Buffer.from((await pictures.run('drawPng', drawing, limits)) as Uint8Array);
}
