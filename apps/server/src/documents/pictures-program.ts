import { renderAsync } from '@resvg/resvg-js';
import type { Drawing } from './draw-picture.ts';
import { interOptions } from './inter-fonts.ts';
import { serveWork } from './serve-work.ts';

await serveWork({
  drawPng: async ({ svg, width }: Drawing) => {
    const scaling = width === undefined ? {} : { fitTo: { mode: 'width' as const, value: width } };
    return (await renderAsync(svg, { ...interOptions, ...scaling })).asPng();
  },
});
