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

/** White and black in turn: a picture of any one colour stands out on it. */
const chequered = '<rect width="64" height="36" fill="#ffffff"/><path d="M0 0h32v36h32v-18H0z"/>';

/** Returns a picture of pixels on a chequered ground; without it, the ground alone. */
const onChequers = (picture?: Buffer): string => {
  const kind = picture?.[0] === 0x89 ? 'png' : 'jpeg';
  const image = picture
    ? `<image width="64" height="36" preserveAspectRatio="none" href="data:image/${kind};base64,${picture.toString('base64')}"/>`
    : '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="36">${chequered}${image}</svg>`;
};

interface Trial {
  draw?: typeof drawPng;
  print?: OwnProcess['run'];
}

/**
 * Returns a trial that draws each logo it has not seen: alone, within a larger picture and, unless it is a picture, on a page.
 * A picture of pixels that cannot be read is left out of a drawing without an error, so that the ground alone is seen.
 */
export function logoTrial({ draw = drawPng, print = printing.run }: Trial = {}): TryLogo {
  const drawable = new Set<string>();

  const tryOnce = async (drawing: string | Buffer, shape: LogoShape): Promise<void> => {
    if (typeof drawing === 'string') return tryDrawing(drawing, shape);
    const [ground, drawn] = [await draw(onChequers(), limits), await draw(onChequers(drawing), limits)];
    if (drawn.equals(ground)) throw new Error('none of it is visible');
  };

  const tryDrawing = async (svg: string, shape: LogoShape): Promise<void> => {
    await draw(svg, { ...limits, width: sizes[shape][0] });
    await draw(onWhite(svg, [1_200, 630]), limits);
    if (shape !== 'picture') await print('printLogo', svg, limits);
  };

  return async (drawing, shape) => {
    if (typeof drawing === 'string' && problemsOfLogo(drawing, shape).length > 0) return []; // reported without drawing it
    const name = createHash('sha256').update(`${shape} `).update(drawing).digest('base64url');
    if (drawable.has(name)) return [];
    try {
      await tryOnce(drawing, shape);
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
