#!/usr/bin/env bash
# Banks with Debit and Credit columns fill the unused one with nothing or with 0.00. One expects both to be read alike.
# Guess before running: 0.00 is taken as nothing.
# ledger 3.3.0 (Debian 12), `convert`: "Cannot have two values for a single transaction", and the whole file stops at that line.
# Source: this run. Hurt: a treasurer whose export pads the columns; the message does not name the zero.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; chmod 755 "$dir"; cd "$dir"
apt-get download -qq ledger=3.3.0-3 libboost-filesystem1.74.0 libboost-iostreams1.74.0 libboost-regex1.74.0 libboost-system1.74.0 \
  libboost-date-time1.74.0 libmpfr6 libgmp10 libedit2 libicu72 libgpgme11 libgpgmepp6 libbsd0 libmd0 libassuan0 libpython3.11 libboost-python1.74.0 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export LD_LIBRARY_PATH="$dir/usr/lib/x86_64-linux-gnu:$dir/lib/x86_64-linux-gnu"
ledger() { "$dir/usr/bin/ledger" --input-date-format '%d/%m/%Y' -f empty.dat "$@"; }
ledger --version | head -1
: >empty.dat
printf '%s\n' 'date,payee,debit,credit' '01/12/2026,Deposit,,10.00' >blank.csv
printf '%s\n' 'date,payee,debit,credit' '01/12/2026,Deposit,0.00,10.00' >zero.csv
ledger convert blank.csv --account Assets:Bank && blank=0 || blank=$?
ledger convert zero.csv --account Assets:Bank 2>error.txt && zero=0 || zero=$?
cat error.txt
echo "blank column: exit $blank; 0.00: exit $zero"
[ "$blank" = 0 ] && [ "$zero" = 1 ] && grep -q 'two values' error.txt || { echo 'behaviour has changed'; exit 1; }
