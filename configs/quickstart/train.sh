#!/bin/sh
# Starts one worker. Its one core also runs Java's compiler and garbage collector, so both are
# limited: trials start in a fraction of a second, and the first unit is as fast as the last.
# 'exec' replaces the shell, which would otherwise receive the SIGTERM for the trial and exit.
cd "$(dirname "$0")"
exec "${JAVA_HOME:+$JAVA_HOME/bin/}java" -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 \
  -cp classes:target/trial.jar digits.Trial target/digits.bin
