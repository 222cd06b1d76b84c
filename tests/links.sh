#!/bin/sh
# Every relative link of the tree's Markdown pages leads to an existing file. Usage: SOURCE=folder links.sh
set -eu
cd "${SOURCE:-$(dirname "$0")/..}"
status=0
for page in $(find . -name '*.md' -not -path './build/*' -not -path '*/node_modules/*' | sort); do
  folder=$(dirname "$page")
  for link in $(grep -oE '\]\([^) ]+\)' "$page" | sed 's/^](//; s/)$//; s/#.*//'); do
    case $link in
    http*) ;;
    *) [ -e "$folder/$link" ] || { echo "$page: there is no $link"; status=1; } ;;
    esac
  done
done
[ $status -eq 0 ] && echo "all links lead to files"
exit $status
