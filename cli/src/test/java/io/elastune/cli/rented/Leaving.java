package io.elastune.cli.rented;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/**
 * That no command is kept by a client of a cloud that it has left open. Each runs in a process that
 * has to end of its own accord; one that does not within four minutes hangs.
 *
 * @param run where is rented, and refused: nothing is to be had there
 */
public record Leaving(RentedRun run) {
  /** Tries all commands that ask a cloud. */
  public void check(RentingCommand elastune) throws Exception {
    RentingCommand commands = elastune.unforced();
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
