#!/bin/sh
# Holdfast. What agents call all the time starts from a snapshot (docs/adr/0012): a third of the time. Where
# Node does not take it, or there is none, the same program is started as any other.
self=$0
# As npm links it.
while [ -L "$self" ]; do
  to=$(readlink "$self")
  case $to in
    /*) self=$to ;;
    *) self=${self%/*}/$to ;;
  esac
done
case $self in
  */*) dist=${self%/*} ;;
  *) dist=. ;;
esac
case $1 in
  status | hook) blob=$dist/start/look.blob ;;
  next | report) blob=$dist/start/step.blob ;;
  *) blob= ;;
esac
# Who gives options to Node gives them to all of it.
if [ -z "$NODE_OPTIONS" ] && [ -f "$blob" ]; then
  # What is said on standard error waits until it is known who says it. Certificates take Node longer to
  # read than all of this, and nothing here speaks to anybody.
  { told=$(NODE_EXTRA_CA_CERTS='' node @flags@ --snapshot-blob "$blob" "$dist/cli.cjs" "$@" 2>&1 >&3 3>&-); } 3>&1
  code=$?
  case $code in
    # Node's own code for a snapshot that it does not take; the others: one that is damaged.
    14 | 132 | 133 | 134 | 135 | 136 | 139) ;;
    *)
      [ -z "$told" ] || printf '%s\n' "$told" >&2
      exit "$code"
      ;;
  esac
fi
exec node "$dist/cli.cjs" "$@"
