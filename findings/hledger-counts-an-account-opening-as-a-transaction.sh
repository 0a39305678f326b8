#!/usr/bin/env bash
# A journal that beancount checks opens each account by a dated line. hledger is expected to skip these lines or to refuse them.
# Guess before running: one purchase beside two opened accounts is one transaction, with one payee.
# hledger 1.25 (Debian 12) reads each as a transaction without postings, whose payee is "open Assets:Bank AUD": stats counts
# three, payees lists three, and the first day of the books is that of the opening. ledger 3.3.0 lists one payee.
# Source: this run. Hurt: an auditor who compares the number of transactions with the ledger's own, or budgets by payee.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; chmod 755 "$dir"; cd "$dir"
apt-get download -qq hledger=1.25-2+b5 ledger=3.3.0-3 libboost-filesystem1.74.0 libboost-iostreams1.74.0 libboost-python1.74.0 libboost-regex1.74.0 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
PATH="$dir/usr/bin:$PATH"; export LD_LIBRARY_PATH="$dir/usr/lib/x86_64-linux-gnu" LC_ALL=C.UTF-8
echo "$(hledger --version), $(ledger --version | head -1)"
printf '%s\n' '2026-12-01 open Assets:Bank AUD' '2026-12-01 open Income:Gifts AUD' '2026-12-04 * "Gift"' \
  '  Assets:Bank  4.35 AUD' '  Income:Gifts  -4.35 AUD' >books.journal
count=$(hledger -f books.journal stats | sed -n 's/^Transactions  *: \([0-9]*\).*/\1/p')
hledger -f books.journal payees
seen="$count $(hledger -f books.journal payees | wc -l) $(ledger -f books.journal payees | wc -l)"
echo "transactions and payees of hledger, payees of ledger: $seen"
[ "$seen" = '3 3 1' ] || { echo 'behaviour has changed'; exit 1; }
