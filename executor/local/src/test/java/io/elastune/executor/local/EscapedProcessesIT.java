package io.elastune.executor.local;

import static io.elastune.executor.engine.TrialScripts.lib;
import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.properties.Tier;
import io.elastune.executor.engine.EngineEvent.Ended;
import io.elastune.provisioner.process.ProcessTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the processes of a trial end with its attempt although they have left their session,
 * their group, their parents and their environment. Each writes its process id to the file {@code
 * pid}.
 */
@EnabledOnOs(OS.LINUX)
class EscapedProcessesIT extends LocalEngineTestBase {
  private static final String QUIET = " </dev/null >/dev/null 2>&1 & ";
  private static final String SLEEP = "sh -c 'echo $$ > pid; exec sleep 1000'";
  private static final String STARTED = "while ! [ -s pid ]; do sleep 0.02; done; ";

  private static final String FIRST_KEEPER =
      "$(sed 's/.*) [A-Z] \\([0-9]*\\) .*/\\1/' /proc/$PPID/stat)";

  /** As a program does that overwrites its arguments and its environment with a title. */
  private static final String TITLE =
      """
      import ctypes, os, time
      os.setsid()
      env = ctypes.POINTER(ctypes.c_void_p).in_dll(ctypes.CDLL(None), 'environ')
      i = 0
      while env[i]:
          ctypes.memset(env[i], 0, len(ctypes.string_at(env[i])))
          i += 1
      open('pid', 'w').write('%d\\n' % os.getpid())
      time.sleep(1000)
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "env -i setsid " + SLEEP,
        "(env -i setsid sh -c '(echo $$ > pid; exec sleep 1000) &' &)",
        "python3 title.py"
      })
  void endWithTheirAttempt(String escape) throws IOException {
    Files.writeString(folder.resolve("title.py"), TITLE);
    engine.start(spec(ATTEMPT, 0, 1, lib(escape + QUIET + STARTED + "train"), 1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).as(ended.toString()).isZero();
    assertThat(ended.checkpoint()).hasValue(1);
    assertThat(isAlive()).isFalse();
  }

  @Test
  void endWithAKilledAttempt() throws IOException {
    String command = "env -i setsid " + SLEEP + QUIET + STARTED + "report 1; sleep 1000";
    engine.start(spec(ATTEMPT, 0, 9, lib(command), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    engine.kill(ATTEMPT);

    assertThat(awaitEnd(ATTEMPT).exitCode()).isEqualTo(137);
    assertThat(isAlive()).isFalse();
  }

  /** They have the grace period, as all processes of the trial. */
  @Test
  void getTheRequestToStop() throws IOException {
    String catcher =
        "trap \"echo caught >caught; exit\" TERM; echo $$ >pid; while :; do sleep .02; done";
    Files.writeString(folder.resolve("catcher.sh"), catcher);
    String command = "env -i setsid sh catcher.sh" + QUIET + STARTED + "report 1; sleep 1000";
    engine.start(spec(ATTEMPT, 0, 9, lib(command), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    engine.stop(ATTEMPT, Duration.ofMinutes(2));

    awaitEnd(ATTEMPT);
    assertThat(folder.resolve("caught")).hasContent("caught");
  }

  /** The keeper of the keeper ends them, or the engine does so. */
  @ParameterizedTest
  @ValueSource(strings = {"$PPID; sleep 1000", FIRST_KEEPER + "; sleep 1000"})
  void endWithAKilledKeeper(String keeper) throws IOException {
    assertEndWith("kill -9 " + keeper);
  }

  /** Of its own, only the mark in its limits is left to such a process. */
  @Test
  void endWithBothKeepersKilled() throws IOException {
    assertEndWith("kill -9 $PPID " + FIRST_KEEPER);
  }

  private void assertEndWith(String kill) throws IOException {
    engine.start(spec(ATTEMPT, 0, 1, lib("env -i setsid " + SLEEP + QUIET + STARTED + kill), 1));
    Ended ended = awaitEnd(ATTEMPT);

    assertThat(ended.exitCode()).isEqualTo(137);
    assertThat(ended.message()).contains("keeps the processes of this trial");
    assertThat(isAlive()).isFalse();
  }

  /** A suspended keeper ends, too. */
  @Test
  @Tag(Tier.NIGHTLY)
  void endWithASuspendedKeeper() throws IOException {
    String suspend = "kill -STOP $PPID; ";
    String command = "env -i setsid " + SLEEP + QUIET + STARTED + suspend + "report 1; sleep 1000";
    engine.start(spec(ATTEMPT, 0, 9, lib(command), 1));
    waitUntil(() -> !events.reports(ATTEMPT).isEmpty());
    engine.kill(ATTEMPT);

    awaitEnd(ATTEMPT);
    assertThat(isAlive()).isFalse();
  }

  private boolean isAlive() throws IOException {
    Path file = folder.resolve("pid");
    long pid = Long.parseLong(Files.readString(file).strip());
    return ProcessTable.read().stream().anyMatch(entry -> entry.pid() == pid);
  }
}
