#!/usr/bin/env bash
# Encrypts a copy of a stopped DATA_DIR with gpg; data and keys are two files for two places (docs/going-live.md).
#   backup.sh data DATA_DIR OUT GPG-OPTIONS...    everything but the keys
#   backup.sh keys DATA_DIR OUT GPG-OPTIONS...    the keys alone
# GPG-OPTIONS: --encrypt --recipient-file KEY.asc, so that this machine cannot open it; or --symmetric --passphrase-file FILE
set -euo pipefail
umask 077
[ $# -gt 3 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
what=$1 data=$2 out=$3
shift 3
keys=(data.key identity-keys)
case $what in
  data)
    [ ! -e "$data/postgres/postmaster.pid" ] || { echo "Stop the product first: $data is in use." >&2; exit 1; }
    files=("${keys[@]/#/--exclude=./}" .)
    ;;
  keys)
    files=()
    for key in "${keys[@]}"; do [ ! -e "$data/$key" ] || files+=("$key"); done
    ;;
  *) echo "Say data or keys, not $what." >&2; exit 2 ;;
esac
GNUPGHOME=$(mktemp -d)
export GNUPGHOME
trap 'rm -rf "$GNUPGHOME" "$out.part"' EXIT
tar -C "$data" -chz --warning=no-file-ignored "${files[@]}" |
  gpg --batch --yes --quiet --pinentry-mode loopback --cipher-algo AES256 --output "$out.part" "$@"
mv "$out.part" "$out"
