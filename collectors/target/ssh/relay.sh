#!/bin/sh
# Runs as the user, in a private directory: connects the channel, which is binary-clean, to three FIFOs there. The first
# line of its input names the directory.

IFS= read -r d && cd -- "$d" && mkfifo -m 600 in out err || exit
cat out &
cat err >&2 &
cat >in
wait
