import { createRequire } from 'node:module';
import pdfmake from 'pdfmake';
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js';

const { resolve } = createRequire(import.meta.url);
const inter = (name: string): string => resolve(`@expo-google-fonts/inter/${name}/Inter_${name}.ttf`);
const [plain, strong] = [inter('400Regular'), inter('600SemiBold')];

pdfmake.setFonts({ Inter: { normal: plain, bold: strong, italics: plain, bolditalics: strong } });
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((path) => path === plain || path === strong);

/** Returns the bytes of a PDF in our font, which reads no other file and no address. */
export const writePdf = (content: TDocumentDefinitions): Promise<Uint8Array> =>
  pdfmake.createPdf({ version: '1.7', language: 'en-AU', displayTitle: true, ...content }).getBuffer();
