package io.elastune.executor.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.executor.decision.model.FailureCause;
import io.elastune.provisioner.SecretMask;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptLogTest {
  @TempDir Path folder;

  private String tail(String... lines) {
    AttemptLog log = new AttemptLog(folder.resolve("log"), SecretMask.NONE);
    for (String line : lines) {
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      log.line("", bytes, bytes.length, false);
    }
    log.close();
    return log.tail();
  }

  private static String[] followedBy(String first, String then, int count) {
    return (first + "\n" + (then + "\n").repeat(count)).split("\n");
  }

  /** Launchers and trackers print a summary after it. */
  @Test
  void exceptionBeforeLongSummaryIsTheCause() {
    String tracker = tail(followedBy("ValueError: bad 3", "wandb: Run summary:", 20));
    assertThat(tracker.lines()).hasSize(11).startsWith("ValueError: bad 3", "wandb: Run summary:");

    String[] torchrun =
        followedBy("torch.OutOfMemoryError: CUDA out of memory", "  File \"run.py\", line 9", 30);
    torchrun[25] = "torch.distributed.elastic.multiprocessing.errors.ChildFailedError:";
    String message = "exit 1; last lines:\n" + tail(torchrun);
    assertThat(FailureCause.of(message).kind()).isEqualTo(FailureCause.Kind.OUT_OF_MEMORY);

    String alone = "exit 1; last lines:\nsubprocess.CalledProcessError: Command died";
    assertThat(FailureCause.of(alone).text()).contains("CalledProcessError");
    assertThat(tail(followedBy("ValueError: long ago", "step", 100)).lines()).hasSize(10);
    assertThat(tail("KeyError: 1", "ValueError: 2", "end").lines()).hasSize(3);
  }

  @Test
  void progressBarIsShownAsWrittenLast() {
    String bar = "\r 10%|#         | 1/10".repeat(200);
    assertThat(tail(bar + "\r 20%|##        | 2/10\r")).isEqualTo(" 20%|##        | 2/10");
  }
}
