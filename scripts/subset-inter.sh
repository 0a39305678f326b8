#!/bin/sh
# Makes apps/web/src/ui/fonts/inter.woff2 from the published font: the weights and characters that the screens use.
# Needs Python with fonttools and brotli. Documents and pictures use another package: their engines read neither woff2 nor variable fonts.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
npm pack --silent --pack-destination "$folder" @fontsource-variable/inter@5.3.0
tar -xzf "$folder"/*.tgz -C "$folder"
fonttools varLib.instancer "$folder/package/files/inter-latin-wght-normal.woff2" wght=400:700 -o "$folder/weights"
pyftsubset "$folder/weights" --flavor=woff2 --no-hinting --layout-features=kern,ccmp,locl,mark,tnum \
  --unicodes='U+20-7E,U+A0-FF,U+131,U+152-153,U+2BB-2BC,U+2C6,U+2DA,U+2DC,U+2010-2015,U+2018-201E,U+2022,U+2026,U+2032-2033,U+2039-203A,U+2044,U+20AC,U+2122,U+2190-2193,U+2212' \
  --output-file=apps/web/src/ui/fonts/inter.woff2
