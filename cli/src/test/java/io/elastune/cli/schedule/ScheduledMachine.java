package io.elastune.cli.schedule;

import io.elastune.cli.CommandLineApp;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli.Result;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A machine with a clock that tests set, and with fake timer programs that refuse other calls. */
final class ScheduledMachine {
  private static final String CRONTAB =
      """
      #!/bin/sh
      table=$(dirname "$0")/table
      case "$#$1" in
        1-l) [ -e "$table" ] || { echo 'no crontab for tester' >&2; exit 1; }; cat "$table" ;;
        1-) cat >"$table" ;;
        *) echo "unexpected: $*" >&2; exit 9 ;;
      esac
      """;

  private static final String SYSTEMCTL =
      """
      #!/bin/sh
      echo "$*" >>"$(dirname "$0")/calls"
      units=$HOME/.config/systemd/user
      case "$*" in
        '--user show-environment' | '--user daemon-reload') ;;
        '--user enable --now elastune-'*.timer) [ -f "$units/$4" ] ;;
        '--user disable --now elastune-'*.timer) [ -f "$units/$4" ] ;;
        *) echo "unexpected: $*" >&2; exit 9 ;;
      esac
      """;

  /** Prints its arguments and variables. */
  private static final String LAUNCHER =
      """
      #!/bin/sh
      for argument in "$@"; do printf '<%s>' "$argument"; done
      printf ' %s' "$ELASTUNE_HOME" "$JAVA_HOME"
      """;

  final Path folder;
  final Path bin;
  final Path home;
  final Path job;
  final Map<String, String> variables = new HashMap<>();
  Instant now = Instant.parse("2026-11-30T21:50:00Z");

  ScheduledMachine(Path folder) throws IOException {
    this.folder = folder;
    bin = Files.createDirectories(folder.resolve("bin"));
    home = folder.resolve("a home");
    Path jobs = Files.createDirectories(folder.resolve("jobs"));
    for (String name : List.of("job.yaml", "offers.yaml", "profile.yaml")) {
      Files.copy(ExampleFiles.WORKED.resolve(name), jobs.resolve(name));
    }
    job = jobs.resolve("job.yaml");
    program("elastune", LAUNCHER);
    variables.put("PATH", bin + ":/usr/bin:/bin");
    variables.put("HOME", folder.toString());
    variables.put("ELASTUNE_HOME", home.toString());
    variables.put("ELASTUNE_LAUNCHER", bin.resolve("elastune").toString());
    variables.put("JAVA_HOME", "/opt/100%/it's");
    variables.put("TZ", "UTC");
    variables.put("AWS_SECRET_ACCESS_KEY", "not-for-files");
  }

  ScheduledMachine withCrontab() throws IOException {
    program("crontab", CRONTAB);
    return this;
  }

  ScheduledMachine withSystemd() throws IOException {
    program("systemctl", SYSTEMCTL);
    return this;
  }

  private void program(String name, String script) throws IOException {
    Path file = Files.writeString(bin.resolve(name), script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Returns the environment of a command at this moment. */
  CliEnvironment environment(ByteArrayOutputStream out, ByteArrayOutputStream err) {
    return new CliEnvironment(
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        new ByteArrayInputStream(new byte[0]),
        variables,
        folder,
        () -> now,
        false);
  }

  Result run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit = new CommandLineApp(environment(out, err)).run(arguments);
    return new Result(
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
