package io.elastune.cli.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.InProcessCli;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogsTest {
  private static final String RUN = "small-20261123-aaaa";

  @TempDir Path folder;
  private Path home = Path.of("");
  private InProcessCli inProcessCli = new InProcessCli(Path.of(""));

  @BeforeEach
  void world() {
    home = folder.resolve("home");
    inProcessCli = new InProcessCli(folder);
  }

  private ScriptedRun begin() {
    return new ScriptedRun(home, RUN, SmallTestJob.meta());
  }

  @Test
  void printsAllTrialsInOrder() {
    try (ScriptedRun run = begin()) {
      run.until(8);
    }
    assertThat(inProcessCli.run("logs").out())
        .startsWith(
            """
            ==> trial 1 <==
            attempt 1-1-1
            from unit 0

            ==> trial 2 <==
            attempt 2-1-1
            """);
  }

  @Test
  void printsOneTrial() {
    try (ScriptedRun run = begin()) {
      run.toTheEnd();
    }
    assertThat(inProcessCli.run("logs", "--trial", "4").out())
        .isEqualTo("attempt 4-1-1\nfrom unit 0\nattempt 4-2-2\nfrom unit 1\n");
    assertThat(inProcessCli.run("logs", "--trial", "4", "--json").out())
        .startsWith("{\"trial\":4,\"line\":\"attempt 4-1-1\"}\n");
  }

  @Test
  void unknownTrialNamesValidRange() {
    try (ScriptedRun run = begin()) {
      run.until(1);
    }
    InProcessCli.Result result = inProcessCli.run("logs", "--trial", "5");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).isEqualTo("--trial: there is no trial 5 (choose 1 to 4)\n");
    InProcessCli.Result silent = inProcessCli.run("logs", "--trial", "3");
    assertThat(silent.exit()).isZero();
    assertThat(silent.out()).isEmpty();
    assertThat(silent.err()).isEqualTo("Trial 3 has produced no output yet.\n");
  }

  @Test
  void printsSetupOutput() throws Exception {
    try (ScriptedRun run = begin()) {
      run.until(8);
      Files.writeString(run.folder().setupLog(RUN + "-2"), "installing\nno newline at the end");
    }
    assertThat(inProcessCli.run("logs", "--setup").out())
        .isEqualTo("==> setup of small-20261123-aaaa-2 <==\ninstalling\nno newline at the end\n");
    assertThat(inProcessCli.run("logs", "--setup", "--trial", "1").exit()).isEqualTo(2);
  }

  @Test
  void followsUntilTheRunIsOver() throws Exception {
    try (ScriptedRun run = begin()) {
      run.until(8);
      CompletableFuture<InProcessCli.Result> following =
          CompletableFuture.supplyAsync(() -> inProcessCli.run("logs", "--trial", "4", "-f"));
      TimeUnit.MILLISECONDS.sleep(500);
      run.toTheEnd();
      InProcessCli.Result result = following.get(20, TimeUnit.SECONDS);
      assertThat(result.exit()).isZero();
      assertThat(result.out())
          .isEqualTo("attempt 4-1-1\nfrom unit 0\nattempt 4-2-2\nfrom unit 1\n");
    }
  }

  @Test
  void emitsOnlyCompleteLines() throws Exception {
    Path file = folder.resolve("some.log");
    LogTailer log = new LogTailer(file, 0);
    List<String> lines = new ArrayList<>();
    log.readNewLines(line -> lines.add(text(line)));
    Files.writeString(file, "one\ntw");
    log.readNewLines(line -> lines.add(text(line)));
    assertThat(lines).containsExactly("one");
    Files.writeString(file, "o\nthré", StandardOpenOption.APPEND);
    log.readNewLines(line -> lines.add(text(line)));
    log.readUnfinishedLine(line -> lines.add(text(line)));
    log.readUnfinishedLine(line -> lines.add(text(line)));
    assertThat(lines).containsExactly("one", "two", "thré");
  }

  private static String text(byte[] line) {
    return new String(line, StandardCharsets.UTF_8);
  }

  @Test
  void showsColorsOnly() throws Exception {
    String loud =
        "\u001b]0;PWNED\u0007\u001b[2J\u001b[31mred\u001b[0m \u009b31m\u202e 10%\r\u001b[32m 20%\r";
    try (ScriptedRun run = begin()) {
      run.until(8);
      Files.writeString(run.folder().trialLog(4), loud + "\n");

      assertThat(inProcessCli.run("logs", "--trial", "4").out())
          .isEqualTo("\u001b[32m 20%\u001b[0m\n");
      assertThat(inProcessCli.run("logs", "--trial", "4", "--raw").out()).isEqualTo(loud + "\n");
      assertThat(inProcessCli.run("logs", "--trial", "4", "--raw", "--json").exit()).isEqualTo(2);
      assertThat(inProcessCli.run("logs", "--trial", "4", "--json").json().path("line").asString())
          .isEqualTo(loud);
      run.toTheEnd();
    }
  }
}
