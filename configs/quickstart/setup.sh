#!/bin/sh
# Compiles the trial and generates its images. Does nothing if the sources have not changed. Several
# instances may run it at the same time, because both files are created by a rename. The jar is
# created last: if it is newer than all sources, both files are complete.
# A release has the compiled trial in classes/, because a JRE has no compiler: only the images are
# generated.
set -eu
cd "$(dirname "$0")"
jdk=${JAVA_HOME:+$JAVA_HOME/bin/}

if [ -d classes ] && [ -f target/digits.bin ]; then
  exit 0
fi
if [ -f target/trial.jar ] && [ -z "$(find src setup.sh -newer target/trial.jar)" ]; then
  exit 0
fi
mkdir -p target
new=$(mktemp -d target/new.XXXXXX)
trap 'rm -rf "$new"' EXIT
trap 'exit 1' HUP INT TERM
if [ -d classes ]; then
  "${jdk}java" -cp classes digits.Images "$new/digits.bin" 12000 8000
  mv -f "$new/digits.bin" target/digits.bin
  echo "generated the images of the trial in $(pwd)/target"
  exit 0
fi
"${jdk}javac" --release 17 -Xlint:all -d "$new/classes" src/digits/*.java
"${jdk}jar" --create --file "$new/trial.jar" -C "$new/classes" .
"${jdk}java" -cp "$new/trial.jar" digits.Images "$new/digits.bin" 12000 8000
mv -f "$new/digits.bin" target/digits.bin
mv -f "$new/trial.jar" target/trial.jar
echo "compiled the trial and generated its images in $(pwd)/target"
