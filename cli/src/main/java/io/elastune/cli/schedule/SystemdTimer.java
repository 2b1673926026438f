package io.elastune.cli.schedule;

import io.elastune.cli.env.AtomicFileWriter;
import io.elastune.cli.env.CliEnvironment;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** A timer and a service of the user's systemd. */
final class SystemdTimer implements ScheduleTimer {
  private static final String SYSTEMCTL = "systemctl";
  private static final String USER = "--user";

  private final CliEnvironment cliEnvironment;
  private final HostProgram hostProgram;
  private final TimerCommand timerCommand;

  SystemdTimer(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
    this.hostProgram = new HostProgram(cliEnvironment);
    this.timerCommand = new TimerCommand(cliEnvironment);
  }

  /** Returns whether the user's systemd answers, which is not the case in most containers. */
  boolean isAvailable() {
    return hostProgram.find(SYSTEMCTL).isPresent()
        && hostProgram.result("", SYSTEMCTL, USER, "show-environment").exit() == 0;
  }

  @Override
  public String install(Schedule schedule) {
    Path timer = file(schedule.name(), ".timer");
    try {
      Files.createDirectories(timer.resolveSibling(""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    AtomicFileWriter.write(file(schedule.name(), ".service"), service(schedule));
    AtomicFileWriter.write(timer, timer(schedule));
    hostProgram.run("", SYSTEMCTL, USER, "daemon-reload");
    hostProgram.run("", SYSTEMCTL, USER, "enable", "--now", unit(schedule.name(), ".timer"));
    return "systemd: "
        + timer
        + " (it needs 'loginctl enable-linger' to start runs while you are logged out)";
  }

  @Override
  public void remove(String name) {
    Path timer = file(name, ".timer");
    if (Files.exists(timer)) {
      hostProgram.run("", SYSTEMCTL, USER, "disable", "--now", unit(name, ".timer"));
      try {
        Files.delete(timer);
        Files.deleteIfExists(file(name, ".service"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      hostProgram.run("", SYSTEMCTL, USER, "daemon-reload");
    }
  }

  private static String unit(String name, String suffix) {
    return "elastune-" + name + suffix;
  }

  private Path file(String name, String suffix) {
    Path config =
        cliEnvironment
            .variable("XDG_CONFIG_HOME")
            .map(cliEnvironment::path)
            .orElseGet(() -> cliEnvironment.userHome().resolve(".config"));
    return config.resolve("systemd/user").resolve(unit(name, suffix));
  }

  /** A run that was skipped is no failure of the service. The controller gets SIGTERM first. */
  private String service(Schedule schedule) {
    String variables =
        timerCommand.variables().entrySet().stream()
            .map(
                variable ->
                    "Environment=" + quote(variable.getKey() + "=" + variable.getValue()) + "\n")
            .collect(Collectors.joining());
    String command =
        timerCommand.arguments(schedule.name()).stream()
            .map(argument -> quote(argument.replace("$", "$$")))
            .collect(Collectors.joining(" "));
    return """
    # Written by 'elastune schedule add'.
    [Unit]
    Description=Elastune schedule %s

    [Service]
    Type=exec
    %sExecStart=%s
    SuccessExitStatus=3 11
    KillMode=mixed
    TimeoutStopSec=10min
    """
        .formatted(schedule.name(), variables, command);
  }

  private static String timer(Schedule schedule) {
    String events =
        schedule.cron().calendarEvents().stream()
            .map(event -> "OnCalendar=" + event + "\n")
            .collect(Collectors.joining());
    return """
    # Written by 'elastune schedule add' for the cron expression %s
    [Unit]
    Description=Elastune schedule %s

    [Timer]
    %sAccuracySec=1s

    [Install]
    WantedBy=timers.target
    """
        .formatted(schedule.cron(), schedule.name(), events);
  }

  /** Systemd replaces % and backslashes also in quotes. */
  private static String quote(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("%", "%%") + "\"";
  }
}
