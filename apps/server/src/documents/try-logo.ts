import { createHash } from 'node:crypto';
import { Refusal } from '#errors.ts';
import { type LogoShape, problemsOfLogo, type TryLogo } from '#tenants/check-logo.ts';
import { printing } from './document-printer.ts';
import { drawPng } from './draw-picture.ts';
import { type OwnProcess, ProcessEnded } from './own-process.ts';
import { onWhite } from './share-picture.ts';

/** A logo that takes longer to draw is refused, as each picture and document draws it. */
const limits = { cpuMs: 1_000, wallMs: 20_000 };
const maxKnown = 500;

/** The sizes at which logos are drawn, the largest of each kind. */
const sizes: Record<LogoShape, [number, number]> = { wide: [400, 80], mark: [512, 512], picture: [640, 360] };

interface Trial {
  draw?: typeof drawPng;
  print?: OwnProcess['run'];
}

/** Returns a trial that draws each logo it has not seen: alone, within a larger picture and, unless it is a picture, on a page. */
export function logoTrial({ draw = drawPng, print = printing.run }: Trial = {}): TryLogo {
  const drawable = new Set<string>();

  const tryOnce = async (svg: string, shape: LogoShape): Promise<void> => {
    await draw(svg, { ...limits, width: sizes[shape][0] });
    await draw(onWhite(svg, [1_200, 630]), limits);
    if (shape !== 'picture') await print('printLogo', svg, limits);
  };

  return async (svg, shape) => {
    if (problemsOfLogo(svg, shape).length > 0) return []; // reported without drawing it
    const name = createHash('sha256').update(`${shape} ${svg}`).digest('base64url');
    if (drawable.has(name)) return [];
    try {
      await tryOnce(svg, shape);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      return [error instanceof ProcessEnded ? 'it takes too much time or memory to draw' : 'it cannot be drawn'];
    }
    for (const oldest of drawable) {
      if (drawable.size < maxKnown) break;
      drawable.delete(oldest);
    }
    drawable.add(name);
    return [];
  };
}

/** Draws a logo once, unless this process has drawn it before, and returns why it may not be used. */
export const tryLogo = logoTrial();
