#!/usr/bin/env bash
# New South Wales gave a Monday off after Anzac Day in 2026 and 2027 alone, as a trial. One expects a library to have these two.
# Guess before running: it misses both, as the order is of February 2026.
# date-holidays 3.37.0 (npm) has both, and every later one: 26 April 2032 as well; "AU" without a state has none of them.
# On 27 April 2026 banks settle all the same: RITS closes on holidays that both New South Wales and Victoria observe.
# Source: this run; the order under the Public Holidays Act 2010 (NSW); "RITS Business Hours" (rba.gov.au).
# Hurt: whoever plans debits or payouts by the holidays of a state; a due day moves although the bank works.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund date-holidays@3.37.0
cat >days.js <<'JS'
const Holidays = require('date-holidays');
console.log('date-holidays', require('date-holidays/package.json').version);
const isOff = (state, day) => new Holidays('AU', state).getHolidays(Number(day.slice(0, 4))).some(({ date, type }) => date.startsWith(day) && type === 'public');
const seen = ['2026-04-27', '2027-04-26', '2032-04-26'].map((day) => [day, isOff('NSW', day), isOff('VIC', day)]);
for (const [day, nsw, vic] of seen) console.log(day, 'NSW', nsw, 'VIC', vic);
process.exit(seen.every(([, nsw, vic]) => nsw && !vic) ? 0 : 1);
JS
node days.js || { echo 'behaviour has changed'; exit 1; }
