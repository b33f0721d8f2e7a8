#!/bin/sh
# Holdfast. What agents call all the time starts from a snapshot of Node's heap (docs/adr/0012). Where Node
# does not take it, or there is none, the same program starts as any other does, and takes longer.
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
if [ -z "$NODE_OPTIONS" ] && [ -s "$blob" ]; then
  # Reading certificates takes Node longer than all of this, and it speaks to nobody: they are for the
  # commands that it may start, and given back there (builder.cjs). What is said on standard error waits
  # until it is known who says it.
  { told=$(
    HOLDFAST_CERTIFICATES=$NODE_EXTRA_CA_CERTS NODE_EXTRA_CA_CERTS='' \
      node @flags@ --snapshot-blob "$blob" "$dist/cli.cjs" "$@" 2>&1 >&3 3>&-
  ); } 3>&1 2>/dev/null
  code=$?
  case $code in
    # Node does not know a flag; does not take the snapshot; or it is damaged, and Node fell over it.
    9 | 14 | 132 | 133 | 134 | 135 | 136 | 139) ;;
    *)
      [ -z "$told" ] || printf '%s\n' "$told" >&2
      exit "$code"
      ;;
  esac
fi
exec node "$dist/cli.cjs" "$@"
