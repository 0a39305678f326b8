import { createRequire } from 'node:module';
import type { ResvgRenderOptions } from '@resvg/resvg-js';

const { resolve } = createRequire(import.meta.url);
const inter = (name: string): string => resolve(`@expo-google-fonts/inter/${name}/Inter_${name}.ttf`);

export const interOptions: ResvgRenderOptions = {
  font: {
    loadSystemFonts: false, // equal pictures on every machine
    fontFiles: [inter('500Medium'), inter('700Bold')],
    defaultFontFamily: 'Inter',
  },
};
