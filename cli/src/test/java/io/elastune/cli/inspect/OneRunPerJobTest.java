package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import io.elastune.cli.testing.TinyJob;
import io.elastune.executor.journal.JobLock;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which runs of a job let another one start. Without a terminal, none is confirmed. */
class OneRunPerJobTest {
  private static final String RUN = "small-20261123-aaaa";
  private static final String NEXT = "no terminal is attached";

  @TempDir Path folder;
  private Path home = Path.of("");

  @BeforeEach
  void wire() {
    home = folder.resolve("home");
  }

  private InProcessCli.Result start(String job, String... more) throws Exception {
    String file = new TinyJob(job).write(folder.resolve("jobs")).toString();
    String[] arguments = new String[more.length + 2];
    arguments[0] = "run";
    arguments[1] = file;
    System.arraycopy(more, 0, arguments, 2, more.length);
    InProcessCli.Result result = new InProcessCli(folder).run(arguments);
    assertThat(result.exit()).as(result.err()).isEqualTo(3);
    return result;
  }

  @Test
  void runInProgressIsNamed() throws Exception {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta()).until(9)) {
      assertThat(start("small").err())
          .isEqualTo(
              "run "
                  + run.folder().run()
                  + " of job small is in progress: running, group 1 of 2 (to follow it: elastune"
                  + " attach small-20261123-aaaa; to stop it: elastune stop"
                  + " small-20261123-aaaa; to start anyway: --parallel)\n");
    }
  }

  @Test
  void otherJobsAndParallelRunsMayStart() throws Exception {
    try (ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta()).until(9)) {
      assertThat(run.folder().exists()).isTrue();
      assertThat(start("small", "--parallel").err()).contains(NEXT);
      assertThat(start("smal").err()).contains(NEXT);
      assertThat(start("small-2").err()).contains(NEXT);
    }
  }

  @Test
  void endedRunBlocksNothing() throws Exception {
    new ScriptedRun(home, RUN, SmallTestJob.meta()).toTheEnd().close();
    InProcessCli.Result next = start("small");
    assertThat(next.err()).contains(NEXT);
    assertThat(next.out()).doesNotContain(RUN);
  }

  @Test
  void crashedRunWithoutInstancesIsNamed() throws Exception {
    new ScriptedRun(home, RUN, SmallTestJob.meta()).until(9).close();
    InProcessCli.Result next = start("small");
    assertThat(next.err()).contains(NEXT);
    assertThat(next.out()).contains("run " + RUN + " crashed", "elastune resume " + RUN);
  }

  /** No provider can list its instances. */
  @Test
  void crashedRunThatMayHaveInstancesBlocks() throws Exception {
    ScriptedRun run = new ScriptedRun(home, RUN, SmallTestJob.meta()).until(9);
    run.close();
    String journal = "jdbc:sqlite:" + run.folder().journal();
    try (Connection connection = DriverManager.getConnection(journal);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("UPDATE lease SET offer = 'unknown/duo/on-demand'");
    }

    assertThat(start("small").err())
        .isEqualTo(
            "run small-20261123-aaaa of job small crashed, and may still have instances (to continue"
                + " it: elastune resume small-20261123-aaaa; to wait until they are terminated:"
                + " elastune stop small-20261123-aaaa; to start anyway: --parallel)\n");
  }

  @Test
  void processAtItsPromptIsNamed() throws Exception {
    JobLock lock = JobLock.tryAcquire(home, "small").orElseThrow();
    try (lock) {
      assertThat(start("small").err())
          .contains("is planning a run of job small or waits for its confirmation");
    }
    assertThat(start("small").err()).contains(NEXT);
  }
}
