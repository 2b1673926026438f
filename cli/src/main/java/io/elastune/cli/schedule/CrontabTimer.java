package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.core.ShellWord;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A line in the crontab of the user, which ends with a comment that names the schedule. */
final class CrontabTimer implements ScheduleTimer {
  private static final String CRONTAB = "crontab";

  private final HostProgram hostProgram;
  private final TimerCommand timerCommand;

  CrontabTimer(CliEnvironment cliEnvironment) {
    this.hostProgram = new HostProgram(cliEnvironment);
    this.timerCommand = new TimerCommand(cliEnvironment);
  }

  @Override
  public String install(Schedule schedule) {
    String line = line(schedule);
    List<String> others = others(schedule.name());
    write(Stream.concat(others.stream(), Stream.of(line)).toList());
    return "crontab: " + line;
  }

  @Override
  public void remove(String name) {
    List<String> before = lines();
    List<String> others = others(name);
    if (!others.equals(before)) {
      write(others);
    }
  }

  private String line(Schedule schedule) {
    Stream<String> variables =
        timerCommand.variables().entrySet().stream()
            .map(variable -> variable.getKey() + "=" + quote(variable.getValue()));
    Stream<String> command =
        timerCommand.arguments(schedule.name()).stream().map(CrontabTimer::quote);
    return schedule.cron()
        + " env "
        + Stream.concat(variables, command).collect(Collectors.joining(" "))
        + " >>"
        + quote(timerCommand.outputFile(schedule.name()))
        + " 2>&1 "
        + mark(schedule.name());
  }

  private static String mark(String name) {
    return "# elastune schedule " + name;
  }

  /** Cron replaces % by a line break, unless a backslash precedes it. */
  private static String quote(String text) {
    return ShellWord.quoted(text).replace("%", "'\\%'");
  }

  private List<String> others(String name) {
    return lines().stream().filter(line -> !line.endsWith(" " + mark(name))).toList();
  }

  /** A user without a crontab gets exit code 1. */
  private List<String> lines() {
    HostProgram.Result result = hostProgram.result("", CRONTAB, "-l");
    if (result.exit() == 0) {
      return result.out().lines().toList();
    }
    if (result.exit() == 1 && result.out().contains("no crontab for")) {
      return List.of();
    }
    hostProgram.run("", CRONTAB, "-l"); // Fails with its message: the crontab must not be replaced.
    throw new IllegalStateException("crontab -l failed once: " + result.out());
  }

  private void write(List<String> lines) {
    String text = lines.stream().map(line -> line + "\n").collect(Collectors.joining());
    hostProgram.run(text, CRONTAB, "-");
  }
}
