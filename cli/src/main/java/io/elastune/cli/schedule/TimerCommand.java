package io.elastune.cli.schedule;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.failure.CommandFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a timer calls: absolute paths, and the variables that decide what Elastune reads. Other
 * variables, such as credentials, are not stored.
 */
final class TimerCommand {
  private static final List<String> VARIABLES =
      List.of("PATH", "JAVA_HOME", "TZ", "AWS_PROFILE", "AWS_REGION", "ELASTUNE_RAY_PYTHON");

  private final CliEnvironment cliEnvironment;
  private final ScheduleStore store;

  TimerCommand(CliEnvironment cliEnvironment) {
    this.cliEnvironment = cliEnvironment;
    this.store = new ScheduleStore(cliEnvironment);
  }

  /** Returns the path of the launcher, which sets the variable. */
  private String launcher() {
    return cliEnvironment
        .variable("ELASTUNE_LAUNCHER")
        .orElseThrow(
            () ->
                CommandFailure.invalid(
                    "ELASTUNE_LAUNCHER",
                    "is not set, so a timer cannot start Elastune",
                    "use the launcher 'elastune', or set it to the launcher's path"));
  }

  List<String> arguments(String name) {
    return List.of(launcher(), "schedule", "start", name);
  }

  String outputFile(String name) {
    return store.output(name).toString();
  }

  Map<String, String> variables() {
    Map<String, String> variables = new LinkedHashMap<>();
    variables.put("ELASTUNE_HOME", cliEnvironment.home().toString());
    variables.put("ELASTUNE_CLOUDS", cliEnvironment.cloudsFile().toString());
    for (String name : VARIABLES) {
      cliEnvironment.variable(name).ifPresent(value -> variables.put(name, value));
    }
    variables.forEach(
        (name, value) -> {
          if (value.chars().anyMatch(Character::isISOControl)) {
            throw CommandFailure.invalid(
                name, "contains a line break or control character", "change it");
          }
        });
    return variables;
  }
}
