#!/bin/sh
# Makes apps/web/src/ui/fonts/inter.woff2 from the published font: the weights and characters that the screens use.
# Needs Python with fonttools and brotli.
set -eu
cd "$(dirname "$0")/.."
whole=node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2
weights=$(mktemp)
fonttools varLib.instancer "$whole" wght=400:700 -o "$weights"
pyftsubset "$weights" --flavor=woff2 --no-hinting --layout-features=kern,ccmp,locl,mark,tnum \
  --unicodes='U+20-7E,U+A0-FF,U+131,U+152-153,U+2BB-2BC,U+2C6,U+2DA,U+2DC,U+2010-2015,U+2018-201E,U+2022,U+2026,U+2032-2033,U+2039-203A,U+2044,U+20AC,U+2122,U+2190-2193,U+2212' \
  --output-file=apps/web/src/ui/fonts/inter.woff2
rm "$weights"
