#!/usr/bin/env bash
# A tagged PDF (PDF/UA-1) carries words for each picture, and poppler's `pdfinfo -struct-text` prints the structure tree, so that
# an audit of accessibility is expected to find them there.
# Guess before running: the Figure shows "Mark of Rovers" as its text or as an attribute.
# pdfinfo 22.12.0 (Debian 12) prints Placement and BBox and an empty text; pdf.js (unpdf 1.8.1) reads the words from the same file.
# The PDF is Typst's (typst-ts-node-compiler 0.7.0). Source: this run. Hurt: a check of receipts that calls every logo unnamed.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; chmod 755 "$dir"; cd "$dir"
npm install --silent --no-audit --no-fund --prefix "$dir" @myriaddreamin/typst-ts-node-compiler@0.7.0 unpdf@1.8.1 >/dev/null
apt-get download -qq poppler-utils=22.12.0-2+deb12u3 libpoppler126=22.12.0-2+deb12u3 libnss3 libnspr4 libopenjp2-7 liblcms2-2 \
  libtiff6 libjpeg62-turbo libjbig0 libdeflate0 liblerc4 libwebp7 libfontconfig1 libfreetype6 libpng16-16 libbrotli1 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
cat >make.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import { NodeCompiler } from '@myriaddreamin/typst-ts-node-compiler';
import { getDocumentProxy } from 'unpdf';
const svg = '<svg xmlns=\\"http://www.w3.org/2000/svg\\" viewBox=\\"0 0 9 9\\"><rect width=\\"9\\" height=\\"9\\"/></svg>';
const mainFileContent = `#set document(title: "T")\n#image(bytes("${svg}"), format: "svg", width: 9pt, alt: "Mark of Rovers")`;
const pdf = NodeCompiler.create({ workspace: '.' }).pdf({ mainFileContent }, { pdfStandard: 'ua-1' });
writeFileSync('made.pdf', pdf);
const page = await (await getDocumentProxy(new Uint8Array(pdf))).getPage(1);
const below = (node) => [node, ...(node.children ?? []).flatMap(below)];
console.log(below(await page.getStructTree()).flatMap(({ alt }) => alt ?? []).join());
JS
ofPdfjs=$(node make.mjs)
export LD_LIBRARY_PATH="$dir/usr/lib/x86_64-linux-gnu"
tree=$(usr/bin/pdfinfo -struct-text made.pdf 2>/dev/null)
usr/bin/pdfinfo -v 2>&1 | sed -n 1p
echo "pdf.js: $ofPdfjs"; echo "pdfinfo: $tree"
[ "$ofPdfjs" = 'Mark of Rovers' ] && grep -q Figure <<<"$tree" && ! grep -q Rovers <<<"$tree" || { echo 'behaviour has changed'; exit 1; }
