#!/usr/bin/env bash
# A directive that shows AUD with two decimals is expected to change what is shown, not what balances: 100.00 against 99.996 does not.
# Guess before running: both refuse it, with the directive and without.
# hledger 1.25 and ledger 3.3.0 (Debian 12) refuse it without the directive, and pass it with it: 0.4 of a cent is lost unseen.
# Source: this run; hledger's release notes of 1.50 (2025), which end this there and say that Ledger goes by the entry alone.
# Hurt: who books fractions of a cent (interest, a split of a debit) and takes a clean check for a sum of nothing.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; chmod 755 "$dir"; cd "$dir"
apt-get download -qq hledger=1.25-2+b5 ledger=3.3.0-3 libboost-filesystem1.74.0 libboost-iostreams1.74.0 libboost-python1.74.0 libboost-regex1.74.0 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export LD_LIBRARY_PATH="$dir/usr/lib/x86_64-linux-gnu"
"$dir/usr/bin/hledger" --version; "$dir/usr/bin/ledger" --version | head -1
gift() { printf '%s\n' '2026-07-01 Gift' '  assets:bank  AUD 100.00' '  income:gifts  AUD -99.996'; }
gift >plain.hledger; gift >plain.ledger
{ printf '%s\n\n' 'commodity AUD 1000.00'; gift; } >shown.hledger
{ printf '%s\n' 'commodity AUD' '    format AUD 1000.00' ''; gift; } >shown.ledger
seen=''
for tool in hledger ledger; do
  for how in plain shown; do
    "$dir/usr/bin/$tool" -f "$how.$tool" bal >/dev/null 2>said.txt && code=0 || code=$?
    echo "$tool, $how: exit $code $(grep -iom1 'unbalanced.*\|does not balance.*' said.txt || true)"
    seen="$seen$code"
  done
done
[ "$seen" = 1010 ] || { echo 'behaviour has changed'; exit 1; }
