import { posterSvg, printPoster } from './poster.ts';
import { printDocument, printLogo } from './print.ts';
import { serveWork } from './serve-work.ts';

await serveWork({ printDocument, printPoster, posterSvg, printLogo });
