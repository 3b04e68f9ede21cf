#!/bin/sh
# Runs the gate for a pull request and leaves its results in the folder $FLAMEBENCH_OUT. The settings come from the
# environment, never from the text of a script, so that no name of a branch or of a file becomes a command.
set -eu
out=${FLAMEBENCH_OUT:-flamebench-gate}
mkdir -p "$out"
set -- ci --comment "$out/comment.md" --html "$out/report.html" --junit "$out/junit.xml" --sarif "$out/regressions.sarif" \
  --state "$out/state.json" --json
[ -z "${FLAMEBENCH_BASE:-}" ] || set -- "$@" --base "$FLAMEBENCH_BASE"
[ -z "${FLAMEBENCH_BUILD:-}" ] || set -- "$@" --build "$FLAMEBENCH_BUILD"
[ -z "${FLAMEBENCH_FAIL_ON:-}" ] || set -- "$@" --fail-on "$FLAMEBENCH_FAIL_ON"
[ -z "${FLAMEBENCH_PAIRS:-}" ] || set -- "$@" --pairs "$FLAMEBENCH_PAIRS"
[ -z "${FLAMEBENCH_MOST_PAIRS:-}" ] || set -- "$@" --most-pairs "$FLAMEBENCH_MOST_PAIRS"
[ -z "${FLAMEBENCH_MINUTES:-}" ] || set -- "$@" --minutes "$FLAMEBENCH_MINUTES"
[ -z "${FLAMEBENCH_SELF_TEST:-}" ] || set -- "$@" --self-test
[ -z "${FLAMEBENCH_COMMAND:-}" ] || set -- "$@" -- sh -c "$FLAMEBENCH_COMMAND"
code=0
${FLAMEBENCH:-flamebench} "$@" >"$out/gate.json" || code=$?
if [ -f "$out/comment.md" ]; then
  [ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$out/comment.md" >>"$GITHUB_STEP_SUMMARY"
  [ -n "${GITHUB_STEP_SUMMARY:-}" ] || cat "$out/comment.md"
fi
case $code in
  0) decision=passed ;;
  1) decision=failed ;;
  5) decision=inconclusive ;;
  *) decision=error ;;
esac
[ -z "${GITHUB_OUTPUT:-}" ] || echo "decision=$decision" >>"$GITHUB_OUTPUT"
[ "$code" != 5 ] || [ "${FLAMEBENCH_INCONCLUSIVE:-fail}" != pass ] || code=0
exit "$code"
