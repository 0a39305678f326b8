import { downloadDossier } from '@sparechange/contract/console';
import { fileAnswer } from '#http/file-answer.ts';
import type { ServeConsole } from '#http/serve-console.ts';
import { type DossierDeps, writeDossier } from './write-dossier.ts';

/** Serves the dossier of a debit as a file. */
export function dossierRoutes(serve: ServeConsole, deps: DossierDeps): void {
  serve.person(downloadDossier, async ({ reference }) => {
    const { name, content } = await writeDossier(deps, reference);
    return fileAnswer(name, content);
  });
}
