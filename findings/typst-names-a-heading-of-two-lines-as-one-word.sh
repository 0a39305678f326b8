#!/usr/bin/env bash
# A club's name set on two lines of a heading is expected to be read as two words, as a line break parts words on the page.
# Guess before running: the structure's H1 is named "Wattle Creek Football".
# Typst 0.14.2 (typst-ts-node-compiler 0.7.0, PDF/UA-1) names it "Wattle CreekFootball"; the text below the H1 keeps both lines.
# A blank before the line break mends it and moves nothing on the page.
# Source: pdf.js cannot show it, the attribute T of the structure element has it. Hurt: people who go from heading to heading by ear.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm install --silent --no-audit --no-fund --prefix "$dir" @myriaddreamin/typst-ts-node-compiler@0.7.0 pdf-lib@1.17.1 >/dev/null
cat >name.mjs <<'JS'
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { PDFDict, PDFDocument, PDFName } from 'pdf-lib';
const compiler = NodeCompiler.create({ workspace: '.' });
for (const heading of ['Wattle Creek#linebreak()Football', 'Wattle Creek #linebreak()Football']) {
  const mainFileContent = `#set document(title: "T")\n= ${heading}`;
  const pdf = await PDFDocument.load(compiler.pdf({ mainFileContent }, { pdfStandard: 'ua-1' }));
  for (const [, object] of pdf.context.enumerateIndirectObjects())
    if (object instanceof PDFDict && object.get(PDFName.of('T')) && object.get(PDFName.of('S')) === PDFName.of('H1'))
      console.log(object.get(PDFName.of('T')).decodeText());
}
JS
seen=$(node name.mjs)
echo "typst-ts-node-compiler 0.7.0: $seen"
[ "$seen" = $'Wattle CreekFootball\nWattle Creek Football' ] || { echo 'behaviour has changed'; exit 1; }
