package io.elastune.cli.rented;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/**
 * Checks that no open cloud client keeps a command's process alive. Each process must exit without
 * {@code System.exit} within four minutes.
 *
 * @param run a run in a location without capacity
 */
public record ProcessExitCheck(CloudRun run) {
  /** Runs all commands that call a cloud. */
  public void check(CloudCommand elastune) throws Exception {
    CloudCommand commands = elastune.withoutExit();
    String job = run.job().write(elastune.folder().resolve("job")).toString();
    for (List<String> command :
        List.of(
            List.of("check"),
            List.of("offers", "--infra", run.place()),
            List.of("orphans", "--delete", "--all", "-y"))) {
      String err = commands.run(command.toArray(String[]::new)).err();
      assertThat(err).as("%s", command).contains("exit 0");
    }
    assertThat(commands.run("run", job, "-y").err()).contains("exit 14");
  }
}
