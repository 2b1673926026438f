#!/bin/sh
# Compiles the trial and draws its images, once: quick when nothing has changed, and harmless when
# several instances do it at the same time, since both files come into being by a rename. The jar
# comes last: a jar newer than every source means that all is there.
set -eu
cd "$(dirname "$0")"
jdk=${JAVA_HOME:+$JAVA_HOME/bin/}

if [ -f target/trial.jar ] && [ -z "$(find src setup.sh -newer target/trial.jar)" ]; then
  exit 0
fi
mkdir -p target
new=$(mktemp -d target/new.XXXXXX)
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM
"${jdk}javac" --release 17 -Xlint:all -d "$new/classes" src/digits/*.java
"${jdk}jar" --create --file "$new/trial.jar" -C "$new/classes" .
"${jdk}java" -cp "$new/trial.jar" digits.Images "$new/digits.bin" 12000 8000
mv -f "$new/digits.bin" target/digits.bin
mv -f "$new/trial.jar" target/trial.jar
echo "compiled the trial and drew its images into $(pwd)/target"
