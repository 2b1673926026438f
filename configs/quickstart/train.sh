#!/bin/sh
# One worker. It has one core, which Java's compiler and collector share with the training, so both
# are kept small: trials start in a fraction of a second and their first unit is no slower than
# their last. exec: a shell in between would die of the SIGTERM that is meant for the trial.
cd "$(dirname "$0")"
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
  -cp target/trial.jar digits.Trial target/digits.bin
