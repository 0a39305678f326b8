#!/usr/bin/env bash
# A journal written for beancount, ledger and hledger alike has a payee in quotes: a search for one that begins with Debit is
# expected to find it in all three. Guess before running: hledger desc:^Debit and ledger payee ^Debit each find the entry.
# hledger 1.25 and ledger 3.3.0 (Debian 12) take the quotes for part of the payee: anchored searches find nothing, exit 0, while
# ones without the anchor do; a second quoted text is glued to the first. beancount 2.3.5 reads the payee without them.
# Source: this run. Hurt: an auditor who sums "debits" by a recipe with an anchor gets 0 and no error.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; chmod 755 "$dir"; cd "$dir"
apt-get download -qq hledger=1.25-2+b5 ledger=3.3.0-3 libboost-filesystem1.74.0 libboost-iostreams1.74.0 libboost-python1.74.0 libboost-regex1.74.0 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
PATH="$dir/usr/bin:$PATH"; export LD_LIBRARY_PATH="$dir/usr/lib/x86_64-linux-gnu" LC_ALL=C.UTF-8
echo "$(hledger --version), $(ledger --version | head -1)"
printf '%s\n' '2026-12-04 * "Debit cleared"' '  Assets:Bank  4.35 AUD' '  Income:Gifts  -4.35 AUD' >books.journal
lines() { "$@" | grep -c Assets: || true; }
seen="$(lines hledger -f books.journal reg 'desc:^Debit') $(lines hledger -f books.journal reg 'desc:Debit')"
seen="$seen $(lines ledger -f books.journal reg payee '^Debit') $(lines ledger -f books.journal reg payee 'Debit')"
echo "found, hledger with and without the anchor, ledger with and without: $seen"
hledger -f books.journal payees
[ "$seen" = '0 1 0 1' ] || { echo 'behaviour has changed'; exit 1; }
